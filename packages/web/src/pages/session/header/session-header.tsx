import type { Choice, HubSession, SessionView } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Cpu, PanelRight, Search, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useKnownChoices } from '../../../api/known-choices.ts';
import { useRunners } from '../../../api/runners.ts';
import { Badge } from '../../../design/badge.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { ModelMark } from '../../../marks/mark.tsx';
import { STATUS_TONES, StatusDot } from '../../../status/status-dot.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import type { SessionActions } from '../session-actions.ts';
import { statusOf } from '../session-status.ts';
import { sessionWords } from '../session-words.ts';
import { ChoiceMenu } from './choice-menu.tsx';
import { ForkOrigin } from './fork-origin.tsx';
import { SessionDetails, SessionFacts } from './session-facts.tsx';
import { SessionMenu } from './session-menu.tsx';
import { SessionTitle } from './session-title.tsx';
import { UsageMeter } from './usage-meter.tsx';

interface SessionHeaderProps {
  view: SessionView;
  /** As lists know it: it has a chosen model before the agent says so. */
  session: HubSession | undefined;
  mayAct: boolean;
  actions: SessionActions;
  isSideOpen: boolean;
  onSide: () => void;
  onFind: () => void;
  onRevert: () => void;
  onKeys: () => void;
}

/** What session this is, how it stands, and what can be done with it. */
export function SessionHeader({ view, session, mayAct, actions, isSideOpen, onSide, ...on }: SessionHeaderProps) {
  const words = sessionWords.use();
  const common = useCommonWords();
  const status = statusOf(view);
  const [isRenaming, setRenaming] = useState(false);
  // What an agent can do it tells when it runs; until then the row of the session has what its machine promised.
  const models = view.capabilities.models ?? session?.capabilities.models;
  const modes = view.capabilities.modes ?? session?.capabilities.modes;
  const { runners } = useRunners();
  const offer = runners
    ?.find(({ id }) => id === view.info.runnerId)
    ?.agents.find(({ name }) => name === view.info.agent);
  // An agent that could not start, for a wrong mode perhaps, tells none; it has to be possible to choose another.
  const known = useKnownChoices(offer, view.agentState === 'failed');
  return (
    <header className="@container shrink-0 border-b border-line bg-panel px-2 pt-1.5 pb-1.5 sm:px-4">
      <div className="flex items-center gap-1.5">
        <Link
          to="/sessions"
          aria-label={words.back}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover md:hidden"
        >
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <StatusDot status={status} />
        <div className="min-w-0 flex-1">
          <SessionTitle
            title={view.title}
            mayAct={mayAct}
            isEditing={isRenaming}
            onEditing={setRenaming}
            onRename={(title) => actions.update({ title })}
          />
        </div>
        {view.info.forkedFrom !== undefined && <ForkOrigin sessionId={view.info.forkedFrom.sessionId} />}
        <span role="status" className="flex max-sm:sr-only">
          <Badge tone={STATUS_TONES[status]}>{common.sessionStatus[status]}</Badge>
        </span>
        <IconButton label={words.find} icon={<Search size={15} aria-hidden />} onClick={on.onFind} />
        <IconButton
          label={words.side}
          icon={<PanelRight size={16} aria-hidden />}
          isPressed={isSideOpen}
          onClick={onSide}
        />
        <SessionMenu
          view={view}
          mayAct={mayAct}
          actions={actions}
          onRename={() => setRenaming(true)}
          onRevert={on.onRevert}
          onKeys={on.onKeys}
        />
      </div>
      <div className="flex min-h-7 items-center gap-2 pl-1 max-md:pl-2">
        <SessionFacts view={view} />
        <div className="flex min-w-0 items-center gap-1.5 flex-1 @3xl:flex-none">
          {(models === true || view.model !== undefined) && (
            <ChoiceMenu
              label={words.model}
              icon={<Cpu size={12} aria-hidden />}
              markOf={(id) => <ModelMark name={id} size={14} />}
              choices={choicesOf(view.models, known.models)}
              chosen={view.model ?? session?.model}
              otherwise={words.defaultModel}
              onChoose={mayAct && models === true ? (model) => actions.update({ model }) : undefined}
            />
          )}
          {(modes === true || view.mode !== undefined) && (
            <ChoiceMenu
              label={words.mode}
              isShort
              icon={<SlidersHorizontal size={12} aria-hidden />}
              choices={choicesOf(view.modes, known.modes)}
              chosen={view.mode ?? session?.mode}
              otherwise={words.defaultMode}
              onChoose={mayAct && modes === true ? (mode) => actions.update({ mode }) : undefined}
            />
          )}
        </div>
        <UsageMeter usage={view.usage} turns={view.turns.length} />
        <div className="@3xl:hidden">
          <SessionDetails view={view} />
        </div>
      </div>
    </header>
  );
}

function choicesOf(told: readonly Choice[], known: readonly string[]): readonly Choice[] {
  return told.length > 0 ? told : known.map((id) => ({ id }));
}
