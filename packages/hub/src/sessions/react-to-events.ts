import type { LoggedHubEvent, TurnEnd } from '@dragoman/protocol';
import { cancelWaiting, keepDecision } from '../approvals/settle-approval.ts';
import { forgetApproval, takeApproval } from '../approvals/take-approval.ts';
import { noteForChats } from '../channels/notices.ts';
import type { HubParts } from '../hub-parts.ts';
import { enterPrompt, leaveQueue, sendNext } from '../inbox/move-queue.ts';
import { settleQueue } from '../inbox/send-waiting-prompts.ts';
import { noteForPush } from '../push/push-note.ts';
import type { SessionChange } from '../log/session-change.ts';
import { noteRevert } from './note-revert.ts';
import { tellSessionChange } from './tell-change.ts';

/**
 * What follows from events, in the transaction that stores them: queue, approvals and commands are derived from the log,
 * so they cannot disagree with it.
 */
export async function reactToEvents(parts: HubParts, change: SessionChange): Promise<void> {
  for (const logged of change.events) {
    await reactTo(parts, change, logged);
    await noteForPush(parts, change, logged.event);
    await noteForChats(parts, change, logged.event);
  }
  await correctCounts(change);
  change.afterCommit(() => tellSessionChange(parts, change.session.id));
}

async function reactTo(parts: HubParts, change: SessionChange, { seq, at, event }: LoggedHubEvent): Promise<void> {
  switch (event.type) {
    case 'prompt-queued':
      return enterPrompt(parts, change, event, at);
    case 'prompt-withdrawn':
      return leaveQueue(change, event.promptId, 'withdrawn');
    case 'prompt-taken':
      return leaveQueue(change, event.promptId, 'taken');
    case 'turn-started':
      return event.promptId === undefined ? undefined : leaveQueue(change, event.promptId, 'taken');
    case 'turn-finished':
      await cancelWaiting(parts, change);
      // An agent that came so far has what was said on the machine before.
      if (HAS_HEARD.has(event.reason) && change.session.moved_seq !== null) await change.set({ moved_seq: null });
      return sendNext(parts, change);
    case 'agent-state':
      if (event.state !== 'failed' && event.state !== 'stopped') return;
      await cancelWaiting(parts, change);
      return settleQueue(parts, change);
    case 'reverted':
      await cancelWaiting(parts, change);
      return noteRevert(change, event, seq);
    case 'approval-asked':
      return takeApproval(parts, change, event, at);
    case 'approval-withdrawn':
      return forgetApproval(change, event, at);
    case 'approval-decided':
      return keepDecision(parts, change, event, at);
    default: // Blocks and news of the agent ask for nothing.
  }
}

const HAS_HEARD = new Set<TurnEnd['reason']>(['done', 'limit', 'refused']);

/** The rows are what counts; the numbers in the list are theirs. */
async function correctCounts(change: SessionChange): Promise<void> {
  const { db, session } = change;
  const { queued } = await db
    .selectFrom('hub_prompts')
    .select(({ fn }) => fn.countAll<number>().as('queued'))
    .where('session_id', '=', session.id)
    .where('state', 'in', ['queued', 'sent'])
    .executeTakeFirstOrThrow();
  const { waiting } = await db
    .selectFrom('hub_approvals')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('session_id', '=', session.id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  const counts = { queued: Number(queued), waiting: Number(waiting) };
  if (counts.queued !== session.queued || counts.waiting !== session.waiting) await change.set(counts);
}
