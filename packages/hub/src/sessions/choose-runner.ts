import { type AgentOffer, DragomanError, isTerminalRunner } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { findRunner, mayUseRunner, type RunnerRow } from '../runners/runner-access.ts';

/** What a session is to be, as far as it says where. */
interface Wanted {
  id?: string | undefined;
  agent: string;
  runnerId?: string | undefined;
}

/**
 * The machine that was named; else the one that the session of that id has already, for the call is repeated; else the
 * server's own, if it may be used; else the only one that may.
 */
export async function chooseRunner(parts: HubParts, caller: Caller, wanted: Wanted): Promise<RunnerRow> {
  const { db, presence, localProblem } = parts;
  const runnerId = wanted.runnerId ?? (await runnerOfRepeated(parts, caller, wanted.id));
  const named =
    runnerId === undefined ? await usualServer(parts, caller, wanted.agent) : await findRunner(db, runnerId);
  if (named !== undefined && (runnerId !== undefined || mayUseRunner(caller, named))) return named;
  const runners = await db.selectFrom('hub_runners').selectAll().orderBy('id').execute();
  const usable = runners.filter(
    (runner) => !isTerminalRunner(runner.id) && runner.forgotten_at === null && mayUseRunner(caller, runner),
  );
  if (usable.length === 0 && named !== undefined) return named; // It is refused with how to share it.
  const problem = localProblem();
  if (problem !== undefined && !usable.some((runner) => presence.isConnected(runner)))
    throw new DragomanError('unavailable', problem, { isRetryable: true });
  if (usable.length === 1) return usable[0]!;
  if (usable.length === 0)
    throw new DragomanError(
      'unavailable',
      'There is no machine to work on; start one with: dragoman runner --hub URL --token TOKEN',
      { isRetryable: true },
    );
  const names = usable.map((runner) => `${runner.id} (${runner.name})`).join(', ');
  throw new DragomanError('bad-request', `runnerId: name the machine to work on, one of ${names}.`);
}

async function runnerOfRepeated({ db }: HubParts, caller: Caller, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const session = await db
    .selectFrom('hub_sessions')
    .select('runner_id')
    .where('id', '=', id)
    .where('by_user_id', '=', caller.userId)
    .executeTakeFirst();
  return session?.runner_id;
}

/**
 * The own machine of this server, once it has introduced itself. Where several servers share the database, a proxy asks now this
 * one and now that one, so it is the one where the caller worked last; this server's own where there is none.
 */
async function usualServer({ db, presence }: HubParts, caller: Caller, agent: string): Promise<RunnerRow | undefined> {
  const { localRunnerId } = presence;
  const servers = await db
    .selectFrom('hub_runners')
    .selectAll()
    .where((runner) => runner.or([runner('id', '=', localRunnerId ?? ''), runner('is_server', '=', 1)]))
    .where('forgotten_at', 'is', null)
    .execute();
  const own = servers.find(({ id }) => id === localRunnerId);
  const able = servers.filter(
    (server) => mayUseRunner(caller, server) && presence.isConnected(server) && hasAgent(server, agent),
  );
  if (servers.length < 2 || able.length === 0) return own;
  const last = await db
    .selectFrom('hub_sessions')
    .select('runner_id')
    .where('by_user_id', '=', caller.userId)
    .where(
      'runner_id',
      'in',
      able.map(({ id }) => id),
    )
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return able.find(({ id }) => id === last?.runner_id) ?? own;
}

function hasAgent({ agents_json }: RunnerRow, agent: string): boolean {
  return (JSON.parse(agents_json) as AgentOffer[]).some(({ name, problem }) => name === agent && problem === undefined);
}
