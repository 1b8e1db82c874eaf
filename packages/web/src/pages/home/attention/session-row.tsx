import { type HubSession, plainMarkdown } from '@dragoman/protocol';
import { useNavigate } from '@tanstack/react-router';
import { Check, RotateCcw, Square } from 'lucide-react';
import { useAction } from '../../../api/calls.ts';
import { useMayAct } from '../../../api/me.ts';
import { isInterruption } from '../../../api/shown-status.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { Button } from '../../../design/button.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useServerSentence } from '../../../words/server-sentences.ts';
import { homeWords } from '../home-words.ts';
import { RowFrame } from './row-frame.tsx';
import { useRowKeys } from './row-keys.ts';
import { useTryFailedAgain } from './use-try-failed-again.ts';

interface SessionRowProps {
  kind: 'failed' | 'unread' | 'running';
  session: HubSession;
  isGone: boolean;
}

/** A session that failed, finished or runs: what it said last, and what can be done about it. */
export function SessionRow({ kind, session, isGone }: SessionRowProps) {
  const words = homeWords.use();
  const mayAct = useMayAct();
  const read = useAction('markRead');
  const stop = useAction('cancelTurn');
  const { id: sessionId, seq } = session;
  const markRead = () => read.mutate({ sessionId, seq }, { onError: sayError });
  const canRead = kind !== 'running' && !isGone;
  useRowKeys(sessionId, canRead ? { r: markRead } : {});
  return (
    <RowFrame
      rowKey={sessionId}
      weight={kind === 'failed' ? 'usual' : 'quiet'}
      sessionId={sessionId}
      title={session.title}
      status={kind === 'failed' ? 'failed' : session.status}
      session={session}
      at={session.updatedAt}
      isGone={isGone}
      keys={canRead ? 'r' : undefined}
      actions={
        isGone ? (
          <p role="status" className="flex items-center gap-1.5 text-xs text-soft">
            <Check size={14} aria-hidden />
            {words.read}
          </p>
        ) : kind === 'failed' ? (
          <>
            {mayAct && !isInterruption(session.lastError) && <TryAgain session={session} />}
            <Button size="small" look="quiet" isBusy={read.isPending} onClick={markRead}>
              {words.dismiss}
            </Button>
          </>
        ) : kind === 'unread' ? (
          <Button size="small" look="quiet" isBusy={read.isPending} onClick={markRead}>
            {words.markRead}
          </Button>
        ) : (
          mayAct && (
            <Button
              size="small"
              icon={<Square size={12} aria-hidden />}
              isBusy={stop.isPending}
              onClick={() => stop.mutate({ sessionId }, { onError: sayError })}
            >
              {words.stop}
            </Button>
          )
        )
      }
    >
      {kind === 'failed' ? (
        <Fault session={session} />
      ) : (
        <p className="contained line-clamp-1 text-xs text-faint">
          {session.lastText === '' ? words.nothingYet : visibleText(plainMarkdown(session.lastText))}
        </p>
      )}
    </RowFrame>
  );
}

/** Where the prompt is too far back to be found, the session has it. */
function TryAgain({ session }: { session: HubSession }) {
  const common = useCommonWords();
  const again = useTryFailedAgain(session);
  const navigate = useNavigate();
  const openSession = () => void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } });
  return (
    <Button
      size="small"
      icon={<RotateCcw size={13} aria-hidden />}
      isBusy={again.isPending}
      onClick={() => again.mutate(undefined, { onError: sayError, onSuccess: (isSent) => isSent || openSession() })}
    >
      {common.retry}
    </Button>
  );
}

function Fault({ session: { lastError } }: { session: HubSession }) {
  const words = homeWords.use();
  const common = useCommonWords();
  const sentence = useServerSentence();
  const isInterrupted = isInterruption(lastError);
  const fix = isInterrupted ? common.interruptedHelp : lastError?.fix;
  return (
    <div className="contained text-sm">
      <p className="line-clamp-4 text-bad">
        {lastError === undefined
          ? words.failedUnknown
          : isInterrupted
            ? common.interrupted
            : visibleText(sentence(lastError.message))}
      </p>
      {fix !== undefined && <p className="line-clamp-4 text-soft">{words.whatHelps(visibleText(sentence(fix)))}</p>}
    </div>
  );
}
