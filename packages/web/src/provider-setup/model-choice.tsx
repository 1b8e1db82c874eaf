import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { providerWords } from './provider-words.ts';

interface ModelChoiceProps {
  /** What the service has; empty where it does not tell. */
  offered: readonly string[];
  /** In the order they are tried. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  error: string | undefined;
}

/** More than anybody looks through; typing finds the rest. */
const MOST_SHOWN = 60;

/** Chooses models of a service, from what it offers or by name. */
export function ModelChoice({ offered, chosen, onChange, error }: ModelChoiceProps) {
  const words = providerWords.use();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const matching = offered.filter((model) => model.toLowerCase().includes(wanted.toLowerCase()));
  const isUnknown = wanted !== '' && !offered.includes(wanted) && !chosen.includes(wanted);
  const add = (model: string) => {
    onChange([...chosen, model]);
    setTyped('');
  };
  const toggle = (model: string) =>
    onChange(chosen.includes(model) ? chosen.filter((one) => one !== model) : [...chosen, model]);

  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-xs font-medium text-soft">{words.models}</legend>
      <p className="text-xs text-faint">{words.modelsHint}</p>
      {chosen.length > 0 && (
        <ol className="flex flex-wrap gap-1.5">
          {chosen.map((model) => (
            <li key={model} className="min-w-0">
              <button
                type="button"
                aria-label={words.removeModel(model)}
                onClick={() => toggle(model)}
                className="flex h-6 max-w-full items-center gap-1 rounded-full bg-accent-wash pr-1.5 pl-2.5 text-xs text-accent-strong"
              >
                <span className="contained truncate">{model}</span>
                <X size={12} aria-hidden className="shrink-0" />
              </button>
            </li>
          ))}
        </ol>
      )}
      <TextField
        label={words.findModel}
        isLabelHidden
        placeholder={words.findModel}
        value={typed}
        error={error}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || wanted === '') return;
          event.preventDefault();
          const model = isUnknown && matching[0] !== undefined ? matching[0] : wanted;
          if (!chosen.includes(model)) add(model);
        }}
      />
      {matching.length > 0 && (
        <ul className="max-h-44 overflow-y-auto rounded-md border border-line">
          {matching.slice(0, MOST_SHOWN).map((model) => (
            <li key={model}>
              <label className="flex min-h-row cursor-pointer items-center gap-2 px-2.5 text-sm hover:bg-hover">
                <input
                  type="checkbox"
                  className="accent-accent"
                  checked={chosen.includes(model)}
                  onChange={() => toggle(model)}
                />
                <span className="contained flex-1 truncate" title={model}>
                  {model}
                </span>
              </label>
            </li>
          ))}
          {matching.length > MOST_SHOWN && (
            <li className="px-2.5 py-1 text-xs text-faint">{words.moreModels(matching.length - MOST_SHOWN)}</li>
          )}
        </ul>
      )}
      {isUnknown && matching.length === 0 && (
        <div>
          <Button size="small" icon={<Plus size={14} aria-hidden />} onClick={() => add(wanted)}>
            <span className="contained truncate">{words.addModel(wanted)}</span>
          </Button>
        </div>
      )}
    </fieldset>
  );
}
