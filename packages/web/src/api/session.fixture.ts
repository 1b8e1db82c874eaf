import type { HubSession } from '@dragoman/protocol';

/** A session as lists show it. */
export function hubSession(given: Partial<HubSession> & { id: string }): HubSession {
  return {
    title: given.id,
    agent: 'native',
    runnerId: 'run_a',
    folder: '/code/shop',
    by: { type: 'user', userId: 'usr_a', name: 'Ada', channel: 'web' },
    status: 'idle',
    isOnline: true,
    isPinned: false,
    isArchived: false,
    createdAt: 0,
    updatedAt: 0,
    seq: 1,
    newsSeq: 1,
    readSeq: 1,
    queued: 0,
    waitingApprovals: 0,
    lastText: '',
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    capabilities: {},
    ...given,
  };
}
