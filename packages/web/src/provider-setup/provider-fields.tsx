import { ExternalLink } from 'lucide-react';
import { TextField, SelectField } from '../design/field.tsx';
import { useCommonWords } from '../words/common-words.ts';
import type { FormProblems } from './form-problems.ts';
import type { ProviderForm } from './provider-form.ts';
import type { ProviderPreset } from './provider-presets.ts';
import { providerWords } from './provider-words.ts';

interface ProviderFieldsProps {
  form: ProviderForm;
  onChange: (changes: Partial<ProviderForm>) => void;
  problems: FormProblems;
  /** Absent for a provider that is saved already. */
  preset: ProviderPreset | undefined;
  /** A key is kept. */
  keepsKey: boolean;
  /** The protocols, with the address each knows by itself. */
  kinds: readonly { type: string; baseUrl?: string | undefined }[];
}

/** What a provider needs to be asked: its key, its address, its name and the protocol it speaks. */
export function ProviderFields({ form, onChange, problems, preset, keepsKey, kinds }: ProviderFieldsProps) {
  const words = providerWords.use();
  const common = useCommonWords();
  // A service that is somewhere else than its protocol expects has to say where.
  const known = preset?.id === 'compatible' ? undefined : kinds.find(({ type }) => type === form.type)?.baseUrl;
  const asksAddress = preset === undefined || preset.asksAddress === true;
  const say = (problem: keyof typeof words | undefined) =>
    problem === undefined ? undefined : (words[problem] as string);
  const address = (
    <TextField
      label={words.address}
      type="url"
      value={form.baseUrl}
      error={say(problems.baseUrl)}
      hint={known === undefined ? words.addressHint : words.addressKnown(known)}
      placeholder={known ?? 'http://127.0.0.1:8000/v1'}
      onChange={(event) => onChange({ baseUrl: event.target.value })}
    />
  );
  return (
    <>
      {asksAddress && address}
      {preset?.key !== 'none' && (
        <TextField
          label={preset?.key === 'optional' ? words.keyOptional : words.key}
          type="password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the service was picked to paste its key
          autoFocus={!asksAddress}
          value={form.apiKey}
          error={say(problems.apiKey)}
          hint={keepsKey ? words.keyKeptHint : preset?.keysAt !== undefined && <KeysAt url={preset.keysAt} />}
          placeholder={keepsKey ? words.keyKept : undefined}
          onChange={(event) => onChange({ apiKey: event.target.value })}
        />
      )}
      <details className="group" open={preset === undefined || problems.name !== undefined || undefined}>
        <summary className="w-fit rounded-sm text-xs text-soft hover:text-ink">{words.more}</summary>
        <div className="grid gap-3 pt-2 sm:grid-cols-2">
          {preset !== undefined && (
            <TextField
              label={common.name}
              value={form.name}
              error={say(problems.name)}
              hint={words.nameHint}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
          <SelectField
            label={words.protocol}
            value={form.type}
            onChange={(event) => onChange({ type: event.target.value })}
          >
            {[...new Set([form.type, ...kinds.map(({ type }) => type)])].map((type) => (
              <option key={type}>{type}</option>
            ))}
          </SelectField>
          {!asksAddress && <div className="sm:col-span-2">{address}</div>}
        </div>
      </details>
    </>
  );
}

function KeysAt({ url }: { url: string }) {
  const words = providerWords.use();
  return (
    <>
      {words.keyHint}{' '}
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex items-center gap-1 text-accent underline underline-offset-2"
      >
        {url.replace('https://', '')}
        <ExternalLink size={11} aria-hidden />
      </a>
    </>
  );
}
