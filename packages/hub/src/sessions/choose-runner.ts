import { DragomanError, isTerminalRunner } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { findRunner, mayUseRunner, type RunnerRow } from '../runners/runner-access.ts';

/** The machine that was named; else the one inside the server, if it may be used; else the only one that may. */
export async function chooseRunner(
  { db, presence, localProblem }: HubParts,
  caller: Caller,
  runnerId: string | undefined,
): Promise<RunnerRow> {
  const id = runnerId ?? presence.localRunnerId;
  const named = id === undefined ? undefined : await findRunner(db, id);
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
