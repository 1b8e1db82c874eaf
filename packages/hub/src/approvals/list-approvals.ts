import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Approval, DragomanError, isRoleAtLeast, type SavedRule, type WaitingApproval } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { shortApproval } from './short-approval.ts';

const MOST = 1_000;
/** Each may be long. */
const AT_ONCE = 5;
/** When the list has so much in it, what follows is told in short. */
const WHOLE_CHARS = 2_000_000;

/** Every approval that waits for a person, the oldest first. */
export async function listApprovals({ db }: Pick<HubParts, 'db'>): Promise<WaitingApproval[]> {
  const waiting = await db
    .selectFrom('hub_approvals')
    .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_approvals.session_id')
    .select(['session_id', 'hub_approvals.id', 'title', 'asked_at', 'expires_at'])
    .where('state', '=', 'waiting')
    .orderBy('asked_at')
    .orderBy('hub_approvals.id')
    .limit(MOST)
    .execute();
  const listed: WaitingApproval[] = [];
  let chars = 0;
  for (let from = 0; from < waiting.length; from += AT_ONCE) {
    if (from > 0) await nextTurn();
    const some = waiting.slice(from, from + AT_ONCE);
    const texts = await approvalTexts(db, some);
    for (const row of some) {
      const text = texts.get(keyOf(row)) ?? '';
      chars += text.length;
      if (text === '') continue; // Answered meanwhile, and its session removed.
      const approval = JSON.parse(text) as Approval;
      listed.push({
        ...(chars <= WHOLE_CHARS ? approval : shortApproval(approval, text.length)),
        sessionId: row.session_id,
        sessionTitle: row.title,
        askedAt: row.asked_at,
        expiresAt: row.expires_at,
      });
    }
  }
  return listed;
}

type ApprovalKey = { session_id: string; id: string };

async function approvalTexts(db: HubParts['db'], keys: readonly ApprovalKey[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('hub_approvals')
    .select(['session_id', 'id', 'approval_json'])
    .where(({ or, and }) => or(keys.map(({ session_id, id }) => and({ session_id, id }))))
    .execute();
  return new Map(rows.map((row) => [keyOf(row), row.approval_json]));
}

function keyOf({ session_id, id }: ApprovalKey): string {
  return `${session_id} ${id}`;
}

/** What was allowed for good, by folder. */
export async function listRules({ db }: Pick<HubParts, 'db'>): Promise<SavedRule[]> {
  const rows = await db
    .selectFrom('hub_rules')
    .selectAll()
    .orderBy('folder')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    runnerId: row.runner_id,
    folder: row.folder,
    tool: row.tool,
    pattern: row.pattern,
    by: row.by_name,
    createdAt: row.created_at,
  }));
}

/** Takes a rule back; from then on people are asked again. Who saved it may, and admins. */
export async function removeRule({ db }: Pick<HubParts, 'db'>, caller: Caller, ruleId: string): Promise<void> {
  const rule = await db
    .selectFrom('hub_rules')
    .select(['by_user_id', 'by_name'])
    .where('id', '=', ruleId)
    .executeTakeFirst();
  if (rule === undefined)
    throw new DragomanError(
      'not-found',
      `There is no rule ${JSON.stringify(ruleId.slice(0, 100))}; GET /api/rules lists them.`,
    );
  if (rule.by_user_id !== caller.userId && !isRoleAtLeast(caller.role, 'admin'))
    throw new DragomanError('forbidden', `This rule was saved by ${rule.by_name}; they or an admin can remove it.`);
  await db.deleteFrom('hub_rules').where('id', '=', ruleId).execute();
}
