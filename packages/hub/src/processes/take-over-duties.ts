import { expireApprovals } from '../approvals/expire-approvals.ts';
import type { HubParts } from '../hub-parts.ts';

/**
 * Does what a process would have done that has died: it answers the approvals that ran out of time there, and sends the
 * notifications that wait. Chats have a lease of their own. Returns how to stop.
 */
export function takeOverDuties(parts: HubParts): () => void {
  return parts.processes.onDeath(() => {
    parts.logger.info({}, 'another process of the hub is gone; what it did is taken over');
    void expireApprovals(parts);
    parts.pusher.wake();
  });
}
