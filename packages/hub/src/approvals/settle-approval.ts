import {
  type Actor,
  type Approval,
  type ApprovalReply,
  describeReply,
  DragomanError,
  type HubEventOf,
} from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { HubTables } from '../hub-tables.ts';
import type { SessionChange } from '../log/session-change.ts';
import { giveCommand } from '../runners/give-command.ts';

export type ApprovalRow = HubTables['hub_approvals'];

/** What becomes of an approval. */
export type Settlement = Omit<HubEventOf<'approval-decided'>, 'type'>;

/** An approval of a session that is locked. Throws `not-found`. */
export async function findApproval({ db, session }: SessionChange, approvalId: string): Promise<ApprovalRow> {
  const row = await db
    .selectFrom('hub_approvals')
    .selectAll()
    .where('session_id', '=', session.id)
    .where('id', '=', approvalId)
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw new DragomanError(
    'not-found',
    `There is no approval ${JSON.stringify(approvalId.slice(0, 100))} in this session.`,
  );
}

/** Throws `conflict`, with who was first, where an approval waits no more. */
export function checkWaiting(row: ApprovalRow): void {
  if (row.state === 'waiting') return;
  const { options } = JSON.parse(row.approval_json) as Approval;
  const by = JSON.parse(row.by_json!) as Actor;
  const reply = JSON.parse(row.reply_json!) as ApprovalReply;
  throw new DragomanError('conflict', `Already answered: ${describeReply(options, reply, by)}.`);
}

/** Decides an approval that waits: the first one to come here is the one who counts. */
export async function settleApproval(parts: HubParts, change: SessionChange, settlement: Settlement): Promise<void> {
  checkWaiting(await findApproval(change, settlement.approvalId));
  await change.append([{ at: parts.now(), event: { type: 'approval-decided', ...settlement } }]);
}

/** Keeps a decision that the log was told of, and passes it on to the agent that waits for it. */
export async function keepDecision(
  parts: HubParts,
  change: SessionChange,
  { approvalId, reply, by }: Settlement,
  at: number,
): Promise<void> {
  const { numUpdatedRows } = await change.db
    .updateTable('hub_approvals')
    .set({ state: 'decided', reply_json: JSON.stringify(reply), by_json: JSON.stringify(by), decided_at: at })
    .where('session_id', '=', change.session.id)
    .where('id', '=', approvalId)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (numUpdatedRows > 0n && by.type !== 'agent')
    await giveCommand(parts, change, { type: 'answer', approvalId, reply });
}

/** Calls off what still waits when the turn it belongs to has ended. */
export async function cancelWaiting(parts: HubParts, change: SessionChange): Promise<void> {
  const waiting = await change.db
    .selectFrom('hub_approvals')
    .select('id')
    .where('session_id', '=', change.session.id)
    .where('state', '=', 'waiting')
    .orderBy('asked_at')
    .execute();
  for (const { id } of waiting)
    await settleApproval(parts, change, { approvalId: id, reply: { type: 'cancelled' }, by: { type: 'agent' } });
}
