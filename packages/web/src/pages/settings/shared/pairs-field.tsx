import { Plus, Trash2 } from 'lucide-react';
import { Button } from '../../../design/button.tsx';
import { TextField } from '../../../design/field.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { settingsWords } from '../settings-words.ts';
import { isReference, type Pair } from './pairs.ts';

interface PairsFieldProps {
  label: string;
  pairs: readonly Pair[];
  onChange: (pairs: Pair[]) => void;
  namePlaceholder: string;
  error?: string | undefined;
}

/** Variables or headers, line by line. What is typed as a value is not shown, because it may be a secret. */
export function PairsField({ label, pairs, onChange, namePlaceholder, error }: PairsFieldProps) {
  const words = settingsWords.use();
  const put = (id: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.id === id ? { ...pair, ...change } : pair)));
  const add = () => onChange([...pairs, { id: Math.max(-1, ...pairs.map(({ id }) => id)) + 1, name: '', value: '' }]);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-xs font-medium text-soft">{label}</legend>
      {pairs.map(({ id, name, value }, index) => (
        <div key={id} className="flex items-center gap-1.5">
          <TextField
            label={words.pairName(index + 1)}
            isLabelHidden
            className="min-w-0 flex-2"
            placeholder={namePlaceholder}
            value={name}
            onChange={(event) => put(id, { name: event.target.value })}
          />
          <TextField
            label={words.pairValue(index + 1)}
            isLabelHidden
            className="min-w-0 flex-3"
            type={isReference(value) || value.startsWith('{') ? 'text' : 'password'}
            autoComplete="new-password"
            value={value}
            onChange={(event) => put(id, { value: event.target.value })}
          />
          <IconButton
            label={words.removePair(index + 1)}
            icon={<Trash2 size={14} aria-hidden />}
            onClick={() => onChange(pairs.filter((pair) => pair.id !== id))}
          />
        </div>
      ))}
      <div>
        <Button size="small" look="quiet" icon={<Plus size={14} aria-hidden />} onClick={add}>
          {words.addPair}
        </Button>
      </div>
      {error === undefined ? (
        pairs.length > 0 && <p className="text-xs text-faint">{words.secretsHint}</p>
      ) : (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
