import { DragomanError, type HubSession, type SessionStatus } from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { Caller } from '@dragoman/server/base';
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import type { HubTables } from '../hub-tables.ts';
import { showSessions } from './find-session.ts';

/** Which sessions are wanted. */
export type SessionQuery = z.output<(typeof HUB_CALLS)['listSessions']['query']>;

const DEFAULT_LIMIT = 50;

/** Sessions, pinned ones first and then the latest, page by page. A session that moves while pages are read is seen at its new place. */
export async function listSessions(
  parts: HubParts,
  caller: Caller,
  { status, agent, runnerId, folder, archived, pinned, before, limit = DEFAULT_LIMIT }: SessionQuery,
): Promise<{ sessions: HubSession[]; next?: string }> {
  const from = before === undefined ? undefined : readCursor(before);
  let query = parts.db.selectFrom('hub_sessions').selectAll();
  if (status !== undefined) query = query.where((row) => hasStatus(row, status));
  if (agent !== undefined) query = query.where('agent', '=', agent);
  if (runnerId !== undefined) query = query.where('runner_id', '=', runnerId);
  if (folder !== undefined) query = query.where('folder', '=', folder);
  if (archived !== undefined) query = query.where('archived', '=', Number(archived));
  if (pinned !== undefined) query = query.where('pinned', '=', Number(pinned));
  if (from !== undefined)
    query = query.where((row) =>
      row.or([
        row('pinned', '<', from.pinned),
        row.and([row('pinned', '=', from.pinned), row('updated_at', '<', from.updatedAt)]),
        row.and([row('pinned', '=', from.pinned), row('updated_at', '=', from.updatedAt), row('id', '<', from.id)]),
      ]),
    );
  const size = Math.max(limit, 1);
  const rows = await query
    .orderBy('pinned', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  const sessions = await showSessions(parts, caller.userId, page);
  const last = page.at(-1);
  if (rows.length <= size || last === undefined) return { sessions };
  return { sessions, next: `${last.pinned}.${last.updated_at}.${last.id}` };
}

/** The same order of questions as `statusOf`. */
function hasStatus(
  row: ExpressionBuilder<HubTables, 'hub_sessions'>,
  status: SessionStatus,
): ExpressionWrapper<HubTables, 'hub_sessions', SqlBool> {
  if (status === 'waiting') return row('waiting', '>', 0);
  if (status === 'running') return row.and([row('waiting', '=', 0), row('turn_id', 'is not', null)]);
  const isQuiet = row.and([row('waiting', '=', 0), row('turn_id', 'is', null)]);
  const hasState = row('agent_state', '=', status === 'idle' ? 'ready' : status);
  const hasFault = row('last_error_json', 'is not', null);
  return status === 'failed'
    ? row.and([isQuiet, row.or([hasState, hasFault])])
    : row.and([isQuiet, hasState, row('last_error_json', 'is', null)]);
}

function readCursor(text: string): { pinned: number; updatedAt: number; id: string } {
  const [, pinned, updatedAt, id] = /^([01])\.(\d{1,15})\.([\w-]{1,100})$/.exec(text) ?? [];
  if (pinned === undefined || updatedAt === undefined || id === undefined)
    throw new DragomanError('bad-request', 'before: expected the "next" of the page before.');
  return { pinned: Number(pinned), updatedAt: Number(updatedAt), id };
}
