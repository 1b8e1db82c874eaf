import { type Approval, type ApprovalReply, type HubEventOf, isSubjectKnown } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { sessionRules, toQuestion } from './ask-rules.ts';
import { settleApproval } from './settle-approval.ts';

/**
 * Keeps what an agent asks, with a time limit, and answers at once where the rules do. A rule that allows needs an option
 * of the agent's that means "this once"; without one, people are asked.
 */
export async function takeApproval(
  parts: HubParts,
  change: SessionChange,
  { approval }: HubEventOf<'approval-asked'>,
  at: number,
): Promise<void> {
  const expiresAt = parts.now() + Math.round(parts.config().hub.approvalMinutes * 60_000);
  const isNew = await change.db
    .insertInto('hub_approvals')
    .values({
      session_id: change.session.id,
      id: approval.id,
      approval_json: JSON.stringify(approval),
      asked_at: at,
      expires_at: expiresAt,
      state: 'waiting',
      reply_json: null,
      by_json: null,
      decided_at: null,
    })
    .onConflict((conflict) => conflict.columns(['session_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (isNew === undefined) return;
  change.afterCommit(() => parts.approvalClock.wakeAt(expiresAt));

  const question = toQuestion(approval, change.session);
  if (question === undefined) return;
  const rules = await sessionRules(parts, change);
  const { action, rule, reason } = rules.decide(question);
  // Nobody knows what it would do, so it may be what another rule denies.
  if (action === 'allow' && !isSubjectKnown(question) && rules.holdsDenyForCommands(question.tool)) return;
  const reply = rule === undefined ? undefined : replyFor(action, approval, reason);
  if (reply === undefined || rule === undefined) return;
  const by = { type: 'rule' as const, rule: `${rule.tool} ${rule.pattern} (${rule.origin})` };
  await settleApproval(parts, change, { approvalId: approval.id, reply, by });
}

/** Notes that an agent asks no more. */
export async function forgetApproval(
  { db, session }: SessionChange,
  { approvalId }: HubEventOf<'approval-withdrawn'>,
  at: number,
): Promise<void> {
  await db
    .updateTable('hub_approvals')
    .set({
      state: 'decided',
      reply_json: JSON.stringify({ type: 'cancelled' } satisfies ApprovalReply),
      by_json: JSON.stringify({ type: 'agent' }),
      decided_at: at,
    })
    .where('session_id', '=', session.id)
    .where('id', '=', approvalId)
    .where('state', '=', 'waiting')
    .execute();
}

function replyFor(action: string, { options }: Approval, reason: string): ApprovalReply | undefined {
  if (action === 'deny') return { type: 'rejected', feedback: reason };
  const once = action === 'allow' ? options.find(({ kind }) => kind === 'allow_once') : undefined;
  return once && { type: 'selected', optionId: once.id };
}
