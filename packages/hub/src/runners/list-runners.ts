import { type AgentOffer, DragomanError, type HubRunner, isTerminalRunner } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { withdrawQueued } from '../sessions/close-session.ts';
import { closeWhileAway, isAway } from '../sessions/end-while-away.ts';
import { tellRunnerChange, tellSessionChange } from '../sessions/tell-change.ts';
import { toActor } from '../sessions/to-actor.ts';
import { findRunner, isOwnerOf, type RunnerRow } from './runner-access.ts';

/** Every machine, by name. A terminal is none: it works on the machine of the server. */
export async function listRunners(parts: HubParts): Promise<HubRunner[]> {
  const rows = await readRunners(parts);
  return rows.filter(({ id }) => !isTerminalRunner(id)).map((row) => toHubRunner(parts, row));
}

/** What is stored of every runner that is not forgotten, by name. */
export function readRunners({ db }: Pick<HubParts, 'db'>): Promise<RunnerRow[]> {
  return db
    .selectFrom('hub_runners')
    .selectAll()
    .where('forgotten_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/** A machine as lists show it. */
export function toHubRunner({ presence }: Pick<HubParts, 'presence'>, row: RunnerRow): HubRunner {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    version: row.version,
    owner: row.owner_name,
    isShared: row.is_shared === 1,
    isConnected: presence.isConnected(row),
    ...(row.is_server === 1 && { isServer: true }),
    lastSeenAt: row.last_seen_at,
    folders: JSON.parse(row.folders_json) as string[],
    agents: JSON.parse(row.agents_json) as AgentOffer[],
  };
}

/**
 * Forgets a machine that is not connected. Its owner may, and admins. Its sessions are closed and kept: they can be read, and
 * moved to another machine. Where it connects again after all, it is listed again, and they are told what happened.
 */
export async function removeRunner(parts: HubParts, caller: Caller, runnerId: string): Promise<void> {
  const runner = await findRunner(parts.db, runnerId);
  if (!isOwnerOf(caller, runner))
    throw new DragomanError(
      'forbidden',
      `The machine ${runner.name} belongs to ${runner.owner_name}; its owner or an admin can remove it.`,
    );
  if (parts.presence.isConnected(runner))
    throw new DragomanError('conflict', `The machine ${runner.name} is connected; stop its runner first.`);
  const sessions = await parts.db.transaction().execute(async (db) => {
    await db.deleteFrom('hub_rules').where('runner_id', '=', runnerId).execute();
    const rows = await db.selectFrom('hub_sessions').select('id').where('runner_id', '=', runnerId).execute();
    if (rows.length > 0) {
      await db.updateTable('hub_runners').set({ forgotten_at: parts.now() }).where('id', '=', runnerId).execute();
      return rows;
    }
    await db.deleteFrom('hub_commands').where('runner_id', '=', runnerId).execute();
    await db.deleteFrom('hub_runners').where('id', '=', runnerId).execute();
    return [];
  });
  for (const { id } of sessions) await closeForgotten(parts, caller, { sessionId: id, runnerId });
  tellRunnerChange(parts, runnerId);
}

async function closeForgotten(
  parts: HubParts,
  caller: Caller,
  { sessionId, runnerId }: { sessionId: string; runnerId: string },
): Promise<void> {
  try {
    await parts.log.change(sessionId, async (change) => {
      if (change.session.runner_id !== runnerId || !(await isAway(parts, change))) return;
      await withdrawQueued(parts, caller, change);
      await closeWhileAway(parts, change, toActor(caller));
      change.afterCommit(() => tellSessionChange(parts, sessionId));
    });
  } catch (error) {
    if (!(error instanceof DragomanError && error.code === 'not-found')) throw error; // It was deleted meanwhile.
  }
}
