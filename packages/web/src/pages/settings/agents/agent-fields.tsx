import type { AgentOffer } from '@dragoman/protocol';
import { useId } from 'react';
import { useCall } from '../../../api/calls.ts';
import { SelectField, TextAreaField, TextField } from '../../../design/field.tsx';
import { settingsWords } from '../settings-words.ts';
import { PairsField } from '../shared/pairs-field.tsx';
import type { AgentDraft, AgentMistakes } from './agent-draft.ts';
import { agentsWords } from './agents-words.ts';

interface AgentFieldsProps {
  draft: AgentDraft;
  mistakes: AgentMistakes;
  onChange: (change: Partial<AgentDraft>) => void;
  /** Well-known agents that have no settings yet. */
  presets: readonly AgentOffer[];
  isNew: boolean;
}

/** What an agent is, by its kind. */
export function AgentFields({ draft, mistakes, onChange, presets, isNew }: AgentFieldsProps) {
  const words = agentsWords.use();
  const shared = settingsWords.use();
  const nameMistake = { bad: shared.nameBad, taken: shared.nameTaken }[mistakes.name as string];
  return (
    <>
      {draft.kind === 'preset' && (
        <PresetField draft={draft} mistakes={mistakes} onChange={onChange} presets={presets} />
      )}
      {isNew && draft.kind !== 'preset' && (
        <TextField
          label={words.name}
          hint={words.nameHint}
          error={nameMistake}
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      )}
      {draft.kind === 'chat' ? (
        <ChatFields draft={draft} onChange={onChange} />
      ) : (
        <ProgramFields draft={draft} mistakes={mistakes} onChange={onChange} />
      )}
      <TextField
        label={words.displayName}
        hint={words.displayNameHint}
        maxLength={200}
        value={draft.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
    </>
  );
}

type FieldsProps = Pick<AgentFieldsProps, 'draft' | 'onChange'>;

function PresetField({ draft, mistakes, onChange, presets }: Omit<AgentFieldsProps, 'isNew'>) {
  const words = agentsWords.use();
  const chosen = presets.find(({ name }) => name === draft.name);
  return (
    <SelectField
      label={words.preset}
      hint={chosen?.problem === undefined ? undefined : `${chosen.problem.message} ${chosen.problem.fix ?? ''}`}
      error={mistakes.preset && words.presetMissing}
      value={draft.name}
      onChange={(event) => {
        const preset = presets.find(({ name }) => name === event.target.value);
        onChange({ name: event.target.value, backend: preset?.backend ?? '' });
      }}
    >
      <option value="">{words.presetNone}</option>
      {presets.map(({ name, title }) => (
        <option key={name} value={name}>
          {title ?? name}
        </option>
      ))}
    </SelectField>
  );
}

function ProgramFields({ draft, mistakes, onChange }: FieldsProps & { mistakes: AgentMistakes }) {
  const words = agentsWords.use();
  const shared = settingsWords.use();
  const mayBeEmpty = draft.kind === 'preset' || draft.kind === 'other';
  const mistake = { missing: shared.commandMissing, 'open-quote': shared.commandOpen }[mistakes.command as string];
  return (
    <>
      <TextField
        label={shared.command}
        hint={mayBeEmpty ? words.commandOptional : shared.commandHint}
        error={mistake}
        placeholder={draft.kind === 'acp' || draft.kind === 'text' ? words.commandPlaceholder[draft.kind] : undefined}
        value={draft.command}
        onChange={(event) => onChange({ command: event.target.value })}
      />
      {draft.kind === 'text' && (
        <SelectField
          label={words.input}
          value={draft.input}
          onChange={(event) => onChange({ input: event.target.value as AgentDraft['input'] })}
        >
          <option value="stdin">{words.inputs.stdin}</option>
          <option value="argument">{words.inputs.argument}</option>
        </SelectField>
      )}
      <PairsField
        label={words.env}
        namePlaceholder="API_KEY"
        pairs={draft.env}
        onChange={(env) => onChange({ env })}
        error={mistakes.env && shared.pairNameMissing}
      />
      {draft.kind !== 'text' && (
        <TextField
          label={words.model}
          hint={words.modelHint}
          value={draft.model}
          onChange={(event) => onChange({ model: event.target.value })}
        />
      )}
    </>
  );
}

function ChatFields({ draft, onChange }: FieldsProps) {
  const words = agentsWords.use();
  const id = useId();
  const models = useCall('readGateway').data?.models ?? [];
  return (
    <>
      <TextField
        label={words.route}
        hint={words.routeHint}
        list={id}
        value={draft.route}
        onChange={(event) => onChange({ route: event.target.value })}
      />
      <datalist id={id}>
        {models.map((model) => (
          <option key={model}>{model}</option>
        ))}
      </datalist>
      <TextAreaField
        label={words.system}
        value={draft.system}
        onChange={(event) => onChange({ system: event.target.value })}
      />
    </>
  );
}
