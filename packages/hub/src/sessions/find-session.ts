import { DragomanError, type HubSession, isTerminalRunner } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubParts } from '../hub-parts.ts';
import type { HubTables } from '../hub-tables.ts';
import type { SessionRow } from '../log/session-change.ts';
import { awayOf } from '../runners/away-machine.ts';
import { checkMayUseRunner } from '../runners/runner-access.ts';
import { toHubSession } from './to-hub-session.ts';

/** The session's row, or `not-found`. */
export async function findSession({ db }: Pick<HubParts, 'db'>, sessionId: string): Promise<SessionRow> {
  const row = await db.selectFrom('hub_sessions').selectAll().where('id', '=', sessionId).executeTakeFirst();
  if (row === undefined)
    throw new DragomanError('not-found', `There is no session ${JSON.stringify(sessionId.slice(0, 100))}.`);
  return row;
}

/** A session as one person sees it. */
export async function getSession(parts: HubParts, caller: Caller, sessionId: string): Promise<HubSession> {
  const [session] = await showSessions(parts, caller.userId, [await findSession(parts, sessionId)]);
  return session!;
}

/** Rows as one person sees them, in the same order. */
export async function showSessions(
  parts: Pick<HubParts, 'db' | 'presence' | 'config' | 'now'>,
  userId: string,
  rows: readonly SessionRow[],
): Promise<HubSession[]> {
  if (rows.length === 0) return [];
  const { db } = parts;
  const runners = await db
    .selectFrom('hub_runners')
    .select(['id', 'name', 'last_seen_at', 'connected_to', 'forgotten_at', 'home_runner_id'])
    .where('id', 'in', [...new Set(rows.map((row) => row.runner_id))])
    .execute();
  const machines = new Map(runners.map((runner) => [runner.id, awayOf(parts, runner)]));
  const reads = await db
    .selectFrom('hub_reads')
    .select(['session_id', 'seq'])
    .where('user_id', '=', userId)
    .where(
      'session_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute();
  const readSeqs = new Map(reads.map(({ session_id, seq }) => [session_id, seq]));
  const homes = new Map(runners.map((runner) => [runner.id, runner.home_runner_id]));
  return rows.map((row) => {
    const homeRunnerId = homes.get(row.runner_id) ?? undefined;
    const isOnline = machines.has(row.runner_id) && machines.get(row.runner_id) === undefined;
    const away = isTerminalRunner(row.runner_id) ? undefined : machines.get(row.runner_id);
    const shown = homeRunnerId === undefined ? row : { ...row, runner_id: homeRunnerId };
    return toHubSession(shown, { isOnline, away, readSeq: readSeqs.get(row.id) ?? 0 });
  });
}

/**
 * Refuses who may not act in a session. What an agent does happens on its machine, so who may not use the machine may
 * read the session and no more.
 */
export async function checkMayActIn(
  caller: Caller,
  { db, session }: { db: Kysely<HubTables>; session: Readonly<SessionRow> },
): Promise<void> {
  const runner = await db.selectFrom('hub_runners').selectAll().where('id', '=', session.runner_id).executeTakeFirst();
  if (runner !== undefined) checkMayUseRunner(caller, runner);
}
