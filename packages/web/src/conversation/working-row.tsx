import type { SessionView } from '@dragoman/protocol';
import { Spinner } from '../design/spinner.tsx';
import { conversationWords } from './conversation-words.ts';
import { Elapsed } from './elapsed.tsx';

/** What is going on right now, under everything that was said. It keeps its place, so that nothing jumps when a turn begins. */
export function WorkingRow({ view, isLive }: { view: SessionView; isLive: boolean }) {
  const words = conversationWords.use();
  const { turn, agentState, queue } = view;
  const isRunning = turn !== undefined && turn.finishedAt === undefined;
  const isStarting = !isRunning && agentState === 'starting' && queue.length > 0;
  if (!isRunning && !isStarting) return <div className="h-6" />;
  const asked = view.approvals.filter(({ decided }) => decided === undefined).map(({ askedAt }) => askedAt);
  const isAsking = asked.length > 0;
  return (
    <p className="flex h-6 items-center gap-2 px-1 text-xs text-faint">
      {isLive && !isAsking && <Spinner size={13} className="text-busy" />}
      {!isLive ? (
        words.offlineWork
      ) : isStarting ? (
        words.startingAgent
      ) : (
        <span className="tabular-nums">
          {`${isAsking ? words.waitingForYou : words.working} · `}
          <Elapsed since={isAsking ? Math.min(...asked) : turn!.startedAt} />
        </span>
      )}
    </p>
  );
}
