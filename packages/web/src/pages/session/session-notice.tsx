import type { HubSession, SessionView } from '@dragoman/protocol';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { useServerSentence } from '../../words/server-sentences.ts';
import { MoveDialog } from './header/move-dialog.tsx';
import { isRunning } from './session-status.ts';
import { sessionWords } from './session-words.ts';
import { useAway } from './use-away.ts';

interface SessionNoticeProps {
  view: SessionView;
  session: HubSession | undefined;
  mayAct: boolean;
  onWrite: () => void;
  onUnarchive: () => void;
}

/** Why nothing happens in a session, where that is so, and what to do about it. The most pressing one only. */
export function SessionNotice({ view, session, mayAct, onWrite, onUnarchive }: SessionNoticeProps) {
  const words = sessionWords.use();
  const sentence = useServerSentence();
  const away = useAway(view, session);
  const [isMoving, setMoving] = useState(false);
  // What the last turn ended with stands right above, at its end.
  const isSaid = view.agentError?.message === view.turns.at(-1)?.error?.message;
  const error = isSaid ? undefined : view.agentError;
  const write = mayAct && (
    <Button size="small" onClick={onWrite}>
      {words.writePrompt}
    </Button>
  );
  if (away !== undefined) {
    const { machine, since, state } = away;
    const isForgotten = state === 'forgotten';
    return (
      <>
        <Notice
          tone="warn"
          title={isForgotten ? words.forgottenTitle(machine) : words.offlineTitle(machine)}
          action={
            mayAct && (
              <Button size="small" onClick={() => setMoving(true)}>
                {words.move}
              </Button>
            )
          }
        >
          <TimeAgo at={since} say={words.offlineSince} />
          {isForgotten ? words.forgottenAbout : state === 'gone' ? words.goneAbout : words.offlineAbout}
        </Notice>
        {isMoving && <MoveDialog info={view.info} onClose={() => setMoving(false)} />}
      </>
    );
  }
  if (isRunning(view)) return null;
  if (view.agentState === 'failed')
    return (
      <Notice tone="bad" title={words.failedTitle} action={write}>
        {error !== undefined && <p className="max-h-32 overflow-y-auto">{sentence(error.message)}</p>}
        {error?.fix !== undefined && <p className="mt-1 text-ink">{sentence(error.fix)}</p>}
        {mayAct && <p className="mt-1">{words.failedAgain}</p>}
      </Notice>
    );
  if (view.isArchived)
    return (
      <Notice
        title={words.archivedTitle}
        action={
          mayAct && (
            <Button size="small" onClick={onUnarchive}>
              {words.unarchive}
            </Button>
          )
        }
      />
    );
  if (view.agentState === 'stopped' && view.messages.length > 0)
    return (
      <Notice title={words.stoppedTitle} action={write}>
        {view.capabilities.resume === true ? words.stoppedResume : words.stoppedAnew}
      </Notice>
    );
  return null;
}
