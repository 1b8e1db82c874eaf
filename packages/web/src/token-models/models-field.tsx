import { TextField } from '../design/field.tsx';
import { tokenModelsWords } from './token-models-words.ts';

/** Asks which models a token may use; nothing is all of them. */
export function ModelsField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const words = tokenModelsWords.use();
  return (
    <TextField
      label={words.models}
      hint={words.modelsHint}
      placeholder={words.allModels}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
