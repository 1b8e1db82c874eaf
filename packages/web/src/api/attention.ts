import type { HubSession } from '@dragoman/protocol';

/** What a session wants of people, the most urgent first. */
export type Attention = 'waiting' | 'failed' | 'unread' | 'running' | 'quiet';

/** What a session wants of somebody. What waits for an answer wants it of everyone. */
export function attentionOf(session: HubSession, userId: string | undefined): Attention {
  if (session.waitingApprovals > 0) return 'waiting';
  const isUnread = isUnreadBy(session, userId);
  if (isUnread && session.status === 'failed') return 'failed';
  if (session.status === 'running' || session.status === 'starting') return 'running';
  return isUnread ? 'unread' : 'quiet';
}

/** Somebody has not read all that is new in it: of a session they started or have opened before. What others do is theirs to read. */
export function isUnreadBy({ by, newsSeq, readSeq }: HubSession, userId: string | undefined): boolean {
  const isTheirs = readSeq > 0 || (by.type === 'user' && by.userId === userId);
  return isTheirs && readSeq < newsSeq;
}
