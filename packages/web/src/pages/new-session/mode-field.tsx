import { useState } from 'react';
import { SelectField, TextField } from '../../design/field.tsx';
import { newSessionWords } from './new-session-words.ts';

interface ModeFieldProps {
  /** The modes that are known; an agent may have others. */
  names: readonly string[];
  value: string;
  onChange: (mode: string) => void;
}

/** No mode is called like this. */
const OTHER = ' ';

/** How the agent goes about it: one of the modes that are known, or another that somebody knows of. */
export function ModeField({ names, value, onChange }: ModeFieldProps) {
  const words = newSessionWords.use();
  const [isOther, setOther] = useState(false);
  if (isOther || names.length === 0)
    return (
      <TextField
        label={words.mode}
        hint={words.modeHint}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was chosen to be written here
        autoFocus={isOther}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <SelectField
      label={words.mode}
      value={value}
      onChange={({ target }) => {
        if (target.value === OTHER) setOther(true);
        else onChange(target.value);
      }}
    >
      <option value="">{words.usualMode}</option>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
      <option value={OTHER}>{words.otherMode}</option>
    </SelectField>
  );
}
