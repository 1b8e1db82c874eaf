import { type AgentOffer, DragomanError, type HubRunner, isTerminalRunner } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { tellRunnerChange } from '../sessions/tell-change.ts';
import { findRunner, isOwnerOf, type RunnerRow } from './runner-access.ts';

/** Every machine, by name. A terminal is none: it works on the machine of the server. */
export async function listRunners(parts: HubParts): Promise<HubRunner[]> {
  const rows = await parts.db.selectFrom('hub_runners').selectAll().orderBy('name').orderBy('id').execute();
  return rows.filter(({ id }) => !isTerminalRunner(id)).map((row) => toHubRunner(parts, row));
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
    ...(presence.localRunnerId === row.id && { isServer: true }),
    lastSeenAt: row.last_seen_at,
    folders: JSON.parse(row.folders_json) as string[],
    agents: JSON.parse(row.agents_json) as AgentOffer[],
  };
}

/** Forgets a machine that is not connected and has no sessions. Its owner may, and admins. */
export async function removeRunner(parts: HubParts, caller: Caller, runnerId: string): Promise<void> {
  const runner = await findRunner(parts.db, runnerId);
  if (!isOwnerOf(caller, runner))
    throw new DragomanError(
      'forbidden',
      `The machine ${runner.name} belongs to ${runner.owner_name}; its owner or an admin can remove it.`,
    );
  if (parts.presence.isConnected(runner))
    throw new DragomanError('conflict', `The machine ${runner.name} is connected; stop its runner first.`);
  await parts.db.transaction().execute(async (db) => {
    const { count } = await db
      .selectFrom('hub_sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('runner_id', '=', runnerId)
      .executeTakeFirstOrThrow();
    if (Number(count) > 0)
      throw new DragomanError('conflict', `The machine ${runner.name} has ${count} sessions; delete them first.`);
    await db.deleteFrom('hub_commands').where('runner_id', '=', runnerId).execute();
    await db.deleteFrom('hub_rules').where('runner_id', '=', runnerId).execute();
    await db.deleteFrom('hub_runners').where('id', '=', runnerId).execute();
  });
  tellRunnerChange(parts, runnerId);
}
