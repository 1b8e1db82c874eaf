import type { HubRunner, HubSession, SessionView } from '@dragoman/protocol';
import { Eye } from 'lucide-react';
import { type RefObject, useMemo } from 'react';
import { useCommonWords } from '../../words/common-words.ts';
import { UnsentList } from '../../outbox/unsent-list.tsx';
import { Composer, type ComposerHandle } from './composer/composer.tsx';
import { QueuedPrompts } from './composer/queued-prompts.tsx';
import { PlanLine } from './plan-line.tsx';
import type { SessionActions } from './session-actions.ts';
import { SessionNotice } from './session-notice.tsx';
import { isRunning } from './session-status.ts';
import { sessionWords } from './session-words.ts';
import { useAway } from './use-away.ts';

interface SessionFootProps {
  view: SessionView;
  session: HubSession | undefined;
  mayAct: boolean;
  /** The session's machine, where it is another's own. */
  foreign: HubRunner | undefined;
  actions: SessionActions;
  /** One more Escape stops the turn. */
  isStopArmed: boolean;
  composer: RefObject<ComposerHandle | null>;
  /** A prompt was sent. */
  onSent: () => void;
}

/** What is below the conversation: why nothing happens, the plan, what waits, and where to write. */
export function SessionFoot({
  view,
  session,
  mayAct,
  foreign,
  actions,
  isStopArmed,
  composer,
  onSent,
}: SessionFootProps) {
  const words = sessionWords.use();
  const common = useCommonWords();
  const { capabilities, commands, models, modes, queue } = view;
  const sessionId = view.info.id;
  const isBusy = isRunning(view);
  const isForgotten = useAway(view, session)?.state === 'forgotten';
  const { stop, fork, exportAs, update } = actions;
  const sources = useMemo(
    () => ({
      sessionId,
      commands,
      models,
      modes,
      own: {
        stop: isBusy ? stop : undefined,
        fork: capabilities.fork === true ? () => fork() : undefined,
        export: () => exportAs('markdown'),
        chooseModel: capabilities.models === true ? (model: string) => update({ model }) : undefined,
        chooseMode: capabilities.modes === true ? (mode: string) => update({ mode }) : undefined,
      },
    }),
    [sessionId, commands, models, modes, isBusy, capabilities, stop, fork, exportAs, update],
  );
  return (
    <div className="mx-auto w-full max-w-3xl shrink-0 px-3 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-4">
      <div className="mb-1.5 empty:hidden">
        <SessionNotice
          view={view}
          session={session}
          mayAct={mayAct}
          onWrite={() => composer.current?.focus()}
          onUnarchive={() => actions.update({ archived: false })}
        />
      </div>
      {view.plan !== undefined && <PlanLine plan={view.plan} />}
      <QueuedPrompts sessionId={sessionId} queue={queue} mayAct={mayAct} />
      <UnsentList sessionId={sessionId} onText={(text) => composer.current?.suggest(text)} />
      <p role="status" className={isStopArmed ? 'mb-1 px-1 text-xs text-warn' : 'sr-only'}>
        {isStopArmed ? words.escapeAgain : ''}
      </p>
      {mayAct && !isForgotten ? (
        <Composer
          ref={composer}
          sources={sources}
          capabilities={capabilities}
          isRunning={isBusy}
          isStopping={isBusy && actions.stoppedTurnId === view.turn?.id}
          onStop={stop}
          onSent={onSent}
        />
      ) : (
        <p className="flex items-center justify-center gap-2 rounded-lg border border-line bg-raised px-3 py-2.5 text-sm text-soft">
          <Eye size={15} aria-hidden className="shrink-0" />
          <span className="contained">
            {foreign !== undefined
              ? words.notShared(foreign.name, foreign.owner)
              : isForgotten
                ? words.forgottenFoot
                : common.viewerOnly}
          </span>
        </p>
      )}
    </div>
  );
}
