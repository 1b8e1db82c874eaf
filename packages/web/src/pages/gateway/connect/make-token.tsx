import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { useMe } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { CopyLine } from '../../../design/copy-button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField, TextField } from '../../../design/field.tsx';
import { ModelsField } from '../../../token-models/models-field.tsx';
import { readModels } from '../../../token-models/read-models.ts';
import { useCommonWords } from '../../../words/common-words.ts';
import { connectWords } from './connect-words.ts';

const DAY_MS = 86_400_000;
const VALID = ['7', '30', '90', '365', 'never'] as const;

/** What the token of a client may do. */
export type ClientTokenRole = 'models' | 'member';

interface MakeTokenProps {
  /** The client that is being connected: what the token is called unless the person says otherwise. */
  suggestion: string;
  role: ClientTokenRole;
  token: string | undefined;
  onMade: (token: string) => void;
}

/** Makes a token for a client and shows it, once. It is kept nowhere but on the screen. */
export function MakeToken({ suggestion, role, token, onMade }: MakeTokenProps) {
  const words = connectWords.use();
  const isViewer = useMe()?.role === 'viewer';
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-xs font-medium text-soft">{words.key}</h3>
      {token !== undefined && (
        <div role="status" className="flex flex-col gap-1">
          <CopyLine text={token} />
          <p className="text-xs text-good">{words.shownOnce}</p>
        </div>
      )}
      {token === undefined && !isOpen && <p className="text-sm text-soft">{words.tokenAbout}</p>}
      {isViewer && <p className="text-xs text-warn">{words.viewer}</p>}
      {isOpen ? (
        <TokenForm
          suggestion={suggestion}
          role={role}
          onClose={() => setOpen(false)}
          onMade={(made) => {
            setOpen(false);
            onMade(made);
          }}
        />
      ) : (
        <Button look={token === undefined ? 'primary' : 'quiet'} className="self-start" onClick={() => setOpen(true)}>
          {token === undefined ? words.makeToken : words.makeAnother}
        </Button>
      )}
    </div>
  );
}

interface TokenFormProps {
  suggestion: string;
  role: ClientTokenRole;
  onClose: () => void;
  onMade: (token: string) => void;
}

function TokenForm({ suggestion, role, onClose, onMade }: TokenFormProps) {
  const words = connectWords.use();
  const common = useCommonWords();
  const ownRole = useMe()?.role;
  const [name, setName] = useState(suggestion);
  const [valid, setValid] = useState<(typeof VALID)[number]>('90');
  const [models, setModels] = useState('');
  const creation = useAction('createToken', { changes: ['listTokens'], onDone: ({ text }) => onMade(text) });
  const create = () =>
    creation.mutate({
      name: name.trim(),
      ...(ownRole !== 'viewer' && { role }),
      ...readModels(models),
      ...(valid !== 'never' && { expiresAt: Date.now() + Number(valid) * DAY_MS }),
    });
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') create();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.tokenName}
          hint={words.tokenNameHint}
          required
          maxLength={60}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label={words.expires}
          value={valid}
          onChange={({ target }) => setValid(target.value as typeof valid)}
        >
          {VALID.map((value) => (
            <option key={value} value={value}>
              {common.validFor[value]}
            </option>
          ))}
        </SelectField>
      </div>
      <ModelsField value={models} onChange={setModels} />
      {creation.error !== null && <Failure error={creation.error} />}
      <div className="flex gap-2">
        <Button look="primary" type="submit" isBusy={creation.isPending}>
          {words.create}
        </Button>
        <Button onClick={onClose}>{common.cancel}</Button>
      </div>
    </form>
  );
}
