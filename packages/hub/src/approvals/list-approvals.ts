import { type Approval, DragomanError, isRoleAtLeast, type SavedRule, type WaitingApproval } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';

const MOST = 1_000;

/** Every approval that waits for a person, the oldest first. */
export async function listApprovals({ db }: Pick<HubParts, 'db'>): Promise<WaitingApproval[]> {
  const rows = await db
    .selectFrom('hub_approvals')
    .innerJoin('hub_sessions', 'hub_sessions.id', 'hub_approvals.session_id')
    .select(['session_id', 'title', 'approval_json', 'asked_at', 'expires_at'])
    .where('state', '=', 'waiting')
    .orderBy('asked_at')
    .orderBy('hub_approvals.id')
    .limit(MOST)
    .execute();
  return rows.map((row) => ({
    ...(JSON.parse(row.approval_json) as Approval),
    sessionId: row.session_id,
    sessionTitle: row.title,
    askedAt: row.asked_at,
    expiresAt: row.expires_at,
  }));
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
