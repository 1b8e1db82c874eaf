import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { type AnswerOf, useCall } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { TextField } from '../../../design/field.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { targetMistake } from './route-draft.ts';
import { routesWords } from './routes-words.ts';

interface AddTargetProps {
  gateway: AnswerOf<'readGateway'>;
  targets: readonly string[];
  error: string | undefined;
  onAdd: (target: string) => void;
}

/** A line to type a target in. Known ones are suggested, and those of a provider that takes any name are asked for. */
export function AddTarget({ gateway, targets, error, onAdd }: AddTargetProps) {
  const words = routesWords.use();
  const common = useCommonWords();
  const listId = useId();
  const [text, setText] = useState('');
  const [mistake, setMistake] = useState<string>();
  const open = openProvider(text, gateway);
  const told = useCall(
    'listProviderModels',
    { provider: open ?? '' },
    { isEnabled: open !== undefined, staleMs: 300_000 },
  );
  const known = gateway.models.filter((name) => name.includes('/'));
  const suggested = [
    ...known,
    ...(open === undefined ? [] : (told.data?.models ?? []).map((model) => `${open}/${model}`)),
  ];
  const add = () => {
    const target = text.trim();
    const wrong = targetMistake(target, { targets, providers: gateway.providers.map(({ name }) => name) });
    setMistake(wrong === undefined ? undefined : words.mistakes[wrong]);
    if (wrong !== undefined) return;
    onAdd(target);
    setText('');
  };
  return (
    <div className="flex items-start gap-2">
      <TextField
        label={words.addTarget}
        isLabelHidden
        placeholder={words.targetHint}
        className="flex-1"
        value={text}
        list={listId}
        error={mistake ?? error}
        onChange={({ target }) => {
          setText(target.value);
          setMistake(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <datalist id={listId}>
        {[...new Set(suggested)]
          .filter((name) => !targets.includes(name))
          .slice(0, 500)
          .map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </datalist>
      <Button icon={<Plus size={15} aria-hidden />} onClick={add}>
        {common.add}
      </Button>
    </div>
  );
}

/** The provider that is being typed, where it takes any name: only it knows its models. */
function openProvider(text: string, gateway: AnswerOf<'readGateway'>): string | undefined {
  const name = text.trim().split('/')[0];
  return gateway.providers.find((provider) => provider.name === name && provider.models.includes('*'))?.name;
}
