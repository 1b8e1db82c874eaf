import type { HubSession, SessionView } from '@dragoman/protocol';
import { useCall } from '../../api/calls.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { useServerSentence } from '../../words/server-sentences.ts';
import { isRunning } from './session-status.ts';
import { sessionWords } from './session-words.ts';

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
  const runner = useCall('listRunners').data?.runners.find(({ id }) => id === view.info.runnerId);
  // What the last turn ended with stands right above, at its end.
  const isSaid = view.agentError?.message === view.turns.at(-1)?.error?.message;
  const error = isSaid ? undefined : view.agentError;
  const write = mayAct && (
    <Button size="small" onClick={onWrite}>
      {words.writePrompt}
    </Button>
  );
  if ((runner?.isConnected ?? session?.isOnline) === false)
    return (
      <Notice tone="warn" title={words.offlineTitle(runner?.name ?? view.info.runnerId)}>
        {words.offlineAbout}
      </Notice>
    );
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
