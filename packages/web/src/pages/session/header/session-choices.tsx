import type { Choice } from '@dragoman/protocol';
import { Cpu, SlidersHorizontal } from 'lucide-react';
import { memo } from 'react';
import { useKnownChoices } from '../../../api/known-choices.ts';
import { useRunners } from '../../../api/runners.ts';
import { ModelMark } from '../../../marks/mark.tsx';
import type { SessionActions } from '../session-actions.ts';
import { sessionWords } from '../session-words.ts';
import { ChoiceMenu } from './choice-menu.tsx';
import type { SessionHead } from './session-head.ts';

interface SessionChoicesProps {
  head: SessionHead;
  mayAct: boolean;
  update: SessionActions['update'];
}

/** The model and the mode of a session, where it has such. */
export const SessionChoices = memo(function SessionChoices({ head, mayAct, update }: SessionChoicesProps) {
  const words = sessionWords.use();
  const { hasModels, hasModes } = head;
  const { runners } = useRunners();
  const offer = runners
    ?.find(({ id }) => id === head.info.runnerId)
    ?.agents.find(({ name }) => name === head.info.agent);
  // An agent that could not start, for a wrong mode perhaps, tells none; it has to be possible to choose another.
  const known = useKnownChoices(offer, head.agentState === 'failed');
  return (
    <div className="flex min-w-0 items-center gap-1.5 flex-1 @3xl:flex-none">
      {(hasModels || head.model !== undefined) && (
        <ChoiceMenu
          label={words.model}
          icon={<Cpu size={12} aria-hidden />}
          markOf={(id) => <ModelMark name={id} size={14} />}
          choices={choicesOf(head.models, known.models)}
          chosen={head.model}
          otherwise={words.defaultModel}
          onChoose={mayAct && hasModels ? (model) => update({ model }) : undefined}
        />
      )}
      {(hasModes || head.mode !== undefined) && (
        <ChoiceMenu
          label={words.mode}
          isShort
          icon={<SlidersHorizontal size={12} aria-hidden />}
          choices={choicesOf(head.modes, known.modes)}
          chosen={head.mode}
          otherwise={words.defaultMode}
          onChoose={mayAct && hasModes ? (mode) => update({ mode }) : undefined}
        />
      )}
    </div>
  );
});

function choicesOf(told: readonly Choice[], known: readonly string[]): readonly Choice[] {
  return told.length > 0 ? told : known.map((id) => ({ id }));
}
