import { DragomanError, isRoleAtLeast } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

/** A runner as it is stored. */
export type RunnerRow = HubTables['hub_runners'];

/** The runner, or `not-found`. */
export async function findRunner(db: Kysely<HubTables>, runnerId: string): Promise<RunnerRow> {
  const runner = await db.selectFrom('hub_runners').selectAll().where('id', '=', runnerId).executeTakeFirst();
  if (runner === undefined)
    throw new DragomanError('not-found', `There is no machine ${shown(runnerId)}; GET /api/runners lists them.`);
  return runner;
}

/** Whether a person may let agents work on a machine: its owner, admins, and everybody where it is shared. */
export function mayUseRunner(caller: Caller, runner: RunnerRow): boolean {
  return isOwnerOf(caller, runner) || runner.is_shared === 1;
}

/** Refuses who may not let agents work on a machine. */
export function checkMayUseRunner(caller: Caller, runner: RunnerRow): void {
  if (mayUseRunner(caller, runner)) return;
  throw new DragomanError(
    'forbidden',
    `The machine ${runner.name} is ${runner.owner_name}'s own; to share it with every member, set "runner": { "isShared": true } in the dragoman.json of that machine.`,
  );
}

/** Refuses who may not speak for a runner. */
export function checkOwnsRunner(caller: Caller, runner: RunnerRow): void {
  if (isOwnerOf(caller, runner)) return;
  throw new DragomanError(
    'forbidden',
    `The machine ${runner.name} belongs to ${runner.owner_name}; a runner of ${caller.userName} needs a data folder of its own.`,
  );
}

/** Whether a machine is theirs to speak for: its owner's, and every admin's. */
export function isOwnerOf(caller: Caller, runner: RunnerRow): boolean {
  return runner.owner_id === caller.userId || isRoleAtLeast(caller.role, 'admin');
}

function shown(id: string): string {
  return JSON.stringify(id.slice(0, 100));
}
