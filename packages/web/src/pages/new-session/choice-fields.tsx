import type { AgentOffer, HubSession } from '@dragoman/protocol';
import { useId } from 'react';
import { useKnownChoices } from '../../api/known-choices.ts';
import { neverStarted } from '../../api/never-started.ts';
import { TextField } from '../../design/field.tsx';
import { ModeField } from './mode-field.tsx';
import { newSessionWords } from './new-session-words.ts';
import type { SessionDraft } from './session-draft.ts';

interface ChoiceFieldsProps {
  agent: AgentOffer;
  sessions: readonly HubSession[];
  draft: SessionDraft;
  onChange: (changes: Partial<SessionDraft>) => void;
}

/** Model and mode, where the agent lets people choose. Which there are an agent tells once it runs, so names are free. */
export function ChoiceFields({ agent, sessions, draft, onChange }: ChoiceFieldsProps) {
  const words = newSessionWords.use();
  const id = useId();
  const { models, modes } = agent.capabilities;
  const known = useKnownChoices(agent);
  if (models !== true && modes !== true) return null;
  const before = sessions.filter((session) => session.agent === agent.name && !neverStarted(session));
  const modelNames = [...known.models, ...before.map(({ model }) => model)];
  const modeNames = [...known.modes, ...before.map(({ mode }) => mode)];
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {models === true && (
        <>
          <TextField
            label={words.model}
            hint={words.modelHint}
            value={draft.model}
            list={`${id}-models`}
            onChange={(event) => onChange({ model: event.target.value })}
          />
          <datalist id={`${id}-models`}>
            {namesIn(modelNames).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
        </>
      )}
      {modes === true && (
        <ModeField
          key={agent.name}
          names={namesIn(modeNames)}
          value={draft.mode}
          onChange={(mode) => onChange({ mode })}
        />
      )}
    </div>
  );
}

function namesIn(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names)].filter((name) => name !== undefined);
}
