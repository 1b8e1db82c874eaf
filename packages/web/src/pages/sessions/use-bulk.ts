import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { say } from '../../design/toasts.tsx';
import { sessionsWords } from './sessions-words.ts';

/** What is done to sessions, one or many. */
export type BulkChange = 'pin' | 'unpin' | 'archive' | 'unarchive' | 'remove';

const AT_ONCE = 4;

const CALLS: Record<BulkChange, (sessionId: string) => Promise<unknown>> = {
  pin: (sessionId) => client.updateSession({ sessionId, pinned: true }),
  unpin: (sessionId) => client.updateSession({ sessionId, pinned: false }),
  archive: (sessionId) => client.updateSession({ sessionId, archived: true }),
  unarchive: (sessionId) => client.updateSession({ sessionId, archived: false }),
  remove: (sessionId) => client.removeSession({ sessionId }),
};

/** Changes many sessions, a few at a time. What did not work is told with the first reason; the rest is done. */
export function useBulk(): {
  change: (change: BulkChange, ids: readonly string[], onDone?: () => void) => void;
  isBusy: boolean;
} {
  const words = sessionsWords.use();
  const cache = useQueryClient();
  const bulk = useMutation({
    mutationFn: ({ change, ids }: { change: BulkChange; ids: readonly string[] }) => changeAll(CALLS[change], ids),
    async onSuccess({ done, failed, reason }, { change }) {
      const told: Partial<Record<BulkChange, (count: number) => string>> = {
        archive: words.archived,
        unarchive: words.broughtBack,
        remove: words.removed,
      };
      if (done > 0 && told[change] !== undefined) say(told[change](done));
      if (reason !== undefined) say(words.someFailed(failed, reason), 'bad');
      await Promise.all([
        cache.invalidateQueries({ queryKey: ['sessionPages'] }),
        cache.invalidateQueries({ queryKey: ['listSessions'] }),
      ]);
    },
  });
  return {
    change: (change, ids, onDone) => bulk.mutate({ change, ids }, { onSettled: () => onDone?.() }),
    isBusy: bulk.isPending,
  };
}

async function changeAll(
  call: (sessionId: string) => Promise<unknown>,
  ids: readonly string[],
): Promise<{ done: number; failed: number; reason: string | undefined }> {
  const reasons: string[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const outcomes = await Promise.allSettled(ids.slice(from, from + AT_ONCE).map(call));
    for (const outcome of outcomes) if (outcome.status === 'rejected') reasons.push((outcome.reason as Error).message);
  }
  return { done: ids.length - reasons.length, failed: reasons.length, reason: reasons[0] };
}
