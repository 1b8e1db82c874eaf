import { getRouteApi } from '@tanstack/react-router';
import { DragomanError } from '@dragoman/protocol/error';
import { MessageSquareOff } from 'lucide-react';
import { useCall } from '../../api/calls.ts';
import { useSessionView } from '../../api/session-view.ts';
import { buttonClasses } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Failure } from '../../design/failure.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { UnsentList } from '../../outbox/unsent-list.tsx';
import { SessionFrame } from './session-frame.tsx';
import { statusOf } from './session-status.ts';
import { sessionWords } from './session-words.ts';
import { useSessionTitle } from './use-session-title.ts';

const route = getRouteApi('/inside/sessions/$sessionId');

/** One session: what was said and done, where to say more, and the files beside it. */
export function SessionPage() {
  const { sessionId } = route.useParams();
  const { at } = route.useSearch();
  return <Session key={sessionId} sessionId={sessionId} at={at} />;
}

function Session({ sessionId, at }: { sessionId: string; at: number | undefined }) {
  const { shown, stream, error } = useSessionView(sessionId, { isWholeFirst: at !== undefined });
  const view = shown?.view;
  const session = useCall('getSession', { sessionId }, { staleMs: 30_000 });
  useSessionTitle(view?.title, view === undefined ? undefined : statusOf(view));
  const failure = error ?? (view === undefined ? session.error : null);
  if (failure instanceof DragomanError && failure.code === 'not-found') return <NotThere sessionId={sessionId} />;
  if (shown === undefined)
    return failure === null || failure === undefined ? (
      <Loading />
    ) : (
      <div className="p-4">
        <Failure error={failure} onRetry={() => location.reload()} />
      </div>
    );
  return <SessionFrame {...shown} session={session.data} isLive={stream === 'live'} at={at} />;
}

function NotThere({ sessionId }: { sessionId: string }) {
  const words = sessionWords.use();
  return (
    <>
      <h1 className="sr-only">{words.notThere}</h1>
      <div className="p-3 empty:hidden">
        <UnsentList sessionId={sessionId} />
      </div>
      <EmptyState
        icon={<MessageSquareOff size={28} aria-hidden />}
        title={words.notThere}
        action={
          <a href="/sessions" className={buttonClasses('primary')}>
            {words.toSessions}
          </a>
        }
      >
        {words.notThereAbout}
      </EmptyState>
    </>
  );
}

/** As large as what comes, so that nothing jumps. */
function Loading() {
  return (
    <div aria-busy className="flex h-full flex-col">
      <div className="flex h-17 flex-col gap-2 border-b border-line bg-panel px-4 py-3">
        <Skeleton className="h-4 w-64 max-w-full" />
        <Skeleton className="h-3 w-96 max-w-full" />
      </div>
      <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-4 p-4">
        <Skeleton className="ml-auto h-12 w-2/3" />
        <Skeleton className="h-28" />
        <Skeleton className="h-9" />
        <Skeleton className="h-20" />
      </div>
      <div className="mx-auto w-full max-w-3xl p-3">
        <Skeleton className="h-20" />
      </div>
    </div>
  );
}
