import type { HubSession } from '@dragoman/protocol';
import { useMemo } from 'react';
import { type Attention, attentionOf } from './attention.ts';
import { useCall } from './calls.ts';
import { NEWEST } from './followed-calls.ts';
import { useMe } from './me.ts';

/** The newest sessions, as they are right now. */
export function useSessions(): { sessions: readonly HubSession[] | undefined; error: Error | null } {
  const { data, error } = useCall('listSessions', NEWEST, { staleMs: Infinity });
  return { sessions: data?.sessions, error };
}

/** The newest sessions by what they want of who is looking. */
export function useAttention(): Record<Attention, readonly HubSession[]> | undefined {
  const { sessions } = useSessions();
  const userId = useMe()?.userId;
  return useMemo(() => {
    if (sessions === undefined || userId === undefined) return undefined;
    const groups: Record<Attention, HubSession[]> = { waiting: [], failed: [], unread: [], running: [], quiet: [] };
    for (const session of sessions) groups[attentionOf(session, userId)].push(session);
    return groups;
  }, [sessions, userId]);
}
