import { isRoleAtLeast, type Role, type TokenRole } from '@dragoman/protocol';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { CopyLine } from '../../../design/copy-button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField, TextField } from '../../../design/field.tsx';
import { ModelsField } from '../../../token-models/models-field.tsx';
import { readModels } from '../../../token-models/read-models.ts';
import { useCommonWords } from '../../../words/common-words.ts';
import { tokensWords } from './tokens-words.ts';

/** From the one that may least. */
const ROLES: readonly TokenRole[] = ['models', 'viewer', 'member', 'admin'];
/** What clients need; more is asked for on purpose. */
const USUAL_ROLE: TokenRole = 'models';
const EXPIRIES = ['7', '30', '90', '365', 'never'] as const;
const DAY_MS = 86_400_000;

/** Makes a token, and shows its text this once. */
export function NewToken({ mostRole, onClose }: { mostRole: Role; onClose: () => void }) {
  const words = tokensWords.use();
  const common = useCommonWords();
  const [name, setName] = useState('');
  const [role, setRole] = useState<TokenRole>(isRoleAtLeast(mostRole, USUAL_ROLE) ? USUAL_ROLE : mostRole);
  const [days, setDays] = useState<(typeof EXPIRIES)[number]>('90');
  const [models, setModels] = useState('');
  const make = useAction('createToken', { changes: ['listTokens'] });
  const submit = () =>
    make.mutate({
      name,
      role,
      ...readModels(models),
      ...(days !== 'never' && { expiresAt: Date.now() + Number(days) * DAY_MS }),
    });
  if (make.data !== undefined)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={words.madeTitle}
        about={words.madeAbout}
        actions={
          <Button look="primary" onClick={onClose}>
            {words.done}
          </Button>
        }
      >
        <CopyLine text={make.data.text} label={words.copyToken} />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.createTitle}
      about={words.createAbout}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form="new-token" disabled={name.trim() === ''} isBusy={make.isPending}>
            {words.create}
          </Button>
        </>
      }
    >
      <form
        id="new-token"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={words.name}
          placeholder={words.namePlaceholder}
          maxLength={60}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={words.role}
          hint={words.roleHint[role]}
          value={role}
          onChange={(event) => setRole(event.target.value as TokenRole)}
        >
          {ROLES.filter((one) => isRoleAtLeast(mostRole, one)).map((one) => (
            <option key={one} value={one}>
              {common.roles[one]}
            </option>
          ))}
        </SelectField>
        <ModelsField value={models} onChange={setModels} />
        <SelectField label={words.expiry} value={days} onChange={(event) => setDays(event.target.value as typeof days)}>
          {EXPIRIES.map((one) => (
            <option key={one} value={one}>
              {common.validFor[one]}
            </option>
          ))}
        </SelectField>
        {make.error !== null && <Failure error={make.error} />}
      </form>
    </Dialog>
  );
}
