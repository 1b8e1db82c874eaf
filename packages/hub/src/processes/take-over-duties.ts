import { expireApprovals } from '../approvals/expire-approvals.ts';
import type { HubParts } from '../hub-parts.ts';
import { tellMovingSessions } from '../sessions/tell-moving-sessions.ts';

/**
 * Does what a process would have done that has died: it finds what that stored and told nobody of, answers the approvals that
 * ran out of time there, and sends the notifications that wait. Chats have a lease of their own. Returns how to stop.
 */
export function takeOverDuties(parts: HubParts): () => void {
  return parts.processes.onDeath(() => {
    parts.logger.info({}, 'another process of the hub is gone; what it did is taken over');
    parts.feed.lookAgain();
    tellMovingSessions(parts).catch((err: unknown) =>
      parts.logger.warn({ err }, 'lists could not be told what a dead process changed'),
    );
    void expireApprovals(parts);
    parts.pusher.wake();
  });
}
