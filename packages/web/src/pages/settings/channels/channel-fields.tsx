import { type ChannelFieldInfo, plainMarkdown } from '@dragoman/protocol';
import { Button } from '../../../design/button.tsx';
import { SelectField, TextField } from '../../../design/field.tsx';
import type { ChannelDraft } from './channel-draft.ts';
import { channelsWords } from './channels-words.ts';

interface ChannelFieldsProps {
  fields: readonly ChannelFieldInfo[];
  draft: ChannelDraft;
  /** Names of fields that are to be filled in. */
  missing: readonly string[];
  onChange: (name: string, value: string | null) => void;
}

/** The form of a channel, made from what the channel says it needs. */
export function ChannelFields({ fields, draft, missing, onChange }: ChannelFieldsProps) {
  const words = channelsWords.use();
  return fields.map((field) => {
    const { name } = field;
    const error = missing.includes(name) ? words.required : undefined;
    const own = { field, value: draft[name] ?? null, error, onChange: (next: string | null) => onChange(name, next) };
    return field.kind === 'choice' ? (
      <Choice key={name} {...own} />
    ) : field.kind === 'secret' ? (
      <Secret key={name} {...own} />
    ) : (
      <TextField
        key={name}
        label={field.label}
        hint={field.help && plainMarkdown(field.help)}
        error={error}
        placeholder={field.placeholder}
        required={field.isRequired}
        value={own.value ?? ''}
        onChange={(event) => own.onChange(event.target.value)}
      />
    );
  });
}

interface OneFieldProps {
  field: ChannelFieldInfo;
  value: string | null;
  error: string | undefined;
  onChange: (value: string | null) => void;
}

function Choice({ field: { label, help, choices = [] }, value, error, onChange }: OneFieldProps) {
  // What stands in the file and is none of them is kept in sight.
  const isOther = value !== null && value !== '' && !choices.some((choice) => choice.value === value);
  return (
    <SelectField
      label={label}
      hint={help && plainMarkdown(help)}
      error={error}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    >
      {isOther && <option value={value}>{value}</option>}
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </SelectField>
  );
}

/** A secret that is kept is never shown: it is replaced, or taken out where it is not needed. */
function Secret({ field, value, error, onChange }: OneFieldProps) {
  const words = channelsWords.use();
  const { label, help, placeholder, isRequired, isSet } = field;
  const isCleared = value === null;
  const about = help === undefined ? undefined : plainMarkdown(help);
  const note = isCleared ? words.secretCleared : isSet ? words.secretKept : about === undefined ? words.secretHint : '';
  return (
    <div className="flex items-start gap-2">
      <TextField
        className="flex-1"
        label={label}
        type="password"
        hint={[about, note].join(' ').trim()}
        error={error}
        placeholder={isSet ? '••••••' : placeholder}
        required={isRequired && !isSet}
        disabled={isCleared}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
      />
      {isSet && !isRequired && (
        <Button
          size="small"
          look="quiet"
          className="mt-5"
          aria-label={isCleared ? words.keepLabel(label) : words.clearLabel(label)}
          onClick={() => onChange(isCleared ? '' : null)}
        >
          {isCleared ? words.keep : words.clear}
        </Button>
      )}
    </div>
  );
}
