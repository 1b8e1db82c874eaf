import type { SessionStatus } from '@dragoman/protocol';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { SessionFilter } from '../../api/merge-sessions.ts';
import type { SessionsSearch } from '../../app/router.tsx';

/** How a session may stand, the most urgent first. */
export const STATUSES = [
  'waiting',
  'running',
  'failed',
  'idle',
  'starting',
  'stopped',
] as const satisfies SessionStatus[];

/** A change of what stands in the address; what is empty, false or undefined is taken out. */
export type SearchChange = { [Key in keyof SessionsSearch]?: SessionsSearch[Key] | undefined };

/** Every filter taken away. */
export const NO_FILTERS = {
  status: undefined,
  agent: undefined,
  runner: undefined,
  folder: undefined,
  pinned: undefined,
  archived: undefined,
} satisfies SearchChange;

/** How many filters are in force; a search is none. */
export function filtersIn({ q: _q, ...filters }: SessionsSearch): number {
  return Object.values(filters).length;
}

/** Changes what stands in the address. It takes the place of what was there: nobody wants to go back through a search. */
export function useChangeSearch(): (change: SearchChange) => void {
  const navigate = useNavigate({ from: '/sessions' });
  return useCallback(
    (change) => {
      void navigate({
        to: '/sessions',
        replace: true,
        search: (before) => cleaned({ ...before, ...change }),
      });
    },
    [navigate],
  );
}

/** What the address says, as the server is asked. Archived sessions are shown for themselves. */
export function useFilter({ status, agent, runner, folder, pinned, archived }: SessionsSearch): SessionFilter {
  return useMemo(() => {
    const known = STATUSES.find((one) => one === status);
    return {
      archived: archived === true,
      ...(known !== undefined && { status: known }),
      ...(agent !== undefined && { agent }),
      ...(runner !== undefined && { runnerId: runner }),
      ...(folder !== undefined && { folder }),
      ...(pinned === true && { pinned }),
    };
  }, [status, agent, runner, folder, pinned, archived]);
}

function cleaned(search: SearchChange): SessionsSearch {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  return Object.fromEntries(kept);
}
