import type { HubSession } from '@dragoman/protocol';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from './client.ts';
import { NEWEST } from './followed-calls.ts';
import { mergeSessions, type SessionFilter } from './merge-sessions.ts';
import { useSessions } from './sessions.ts';

const PAGE = 100;

/**
 * Every session that a filter lets through, however many there are: page by page as somebody scrolls, and always as the live
 * list has them, as far as it reaches.
 */
export function useSessionPages(filter: SessionFilter): {
  sessions: readonly HubSession[] | undefined;
  error: Error | null;
  hasMore: boolean;
  /** How many pages were read. */
  pages: number;
  loadMore: () => void;
  retry: () => void;
} {
  const cache = useQueryClient();
  const { sessions: newest, error } = useSessions();
  // The live list has them all unless it is full, or archived ones are wanted.
  const isEnough = !filter.archived && newest !== undefined && newest.length < NEWEST.limit;
  const pages = useInfiniteQuery({
    queryKey: ['sessionPages', filter],
    queryFn: ({ pageParam, signal }) =>
      client.listSessions(
        { ...filter, limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    enabled: filter.archived || (newest !== undefined && !isEnough),
    getNextPageParam: ({ next }) => next,
  });
  const { data } = pages;
  const sessions = useMemo(
    () =>
      data === undefined && !isEnough
        ? undefined
        : mergeSessions({
            loaded: data?.pages.flatMap((page) => page.sessions) ?? [],
            newest,
            reach: NEWEST.limit,
            filter,
          }),
    [data, newest, isEnough, filter],
  );
  return {
    sessions,
    error: pages.error ?? (newest === undefined && !filter.archived ? error : null),
    hasMore: pages.hasNextPage && !isEnough,
    pages: data?.pages.length ?? 0,
    loadMore: () => void (pages.hasNextPage && !pages.isFetchingNextPage && pages.fetchNextPage()),
    retry() {
      for (const name of ['sessionPages', 'listSessions']) void cache.invalidateQueries({ queryKey: [name] });
    },
  };
}
