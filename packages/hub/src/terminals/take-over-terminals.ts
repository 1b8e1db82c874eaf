import type { HubParts } from '../hub-parts.ts';
import { findRunner } from '../runners/runner-access.ts';
import { changeRunner } from '../sessions/change-runner.ts';

/**
 * Takes the sessions of terminals that are gone to the server's own runner on the same machine, which is their home. Only those
 * of who owns that machine, for nobody else may let agents work there.
 */
export async function takeOverTerminals(parts: HubParts, localRunnerId: string): Promise<void> {
  const local = await findRunner(parts.db, localRunnerId);
  const left = await parts.db
    .selectFrom('hub_sessions')
    .innerJoin('hub_runners', 'hub_runners.id', 'hub_sessions.runner_id')
    .select(['hub_sessions.id as session_id', 'hub_runners.id', 'hub_runners.last_seen_at', 'hub_runners.connected_to'])
    .where('hub_runners.id', 'like', 'run_terminal-%')
    .where('hub_runners.owner_id', '=', local.owner_id)
    .where((terminal) =>
      terminal.or([
        terminal('hub_runners.home_runner_id', '=', local.id),
        // An older program does not tell the home.
        terminal.and([
          terminal('hub_runners.home_runner_id', 'is', null),
          terminal('hub_runners.host', '=', local.host),
        ]),
      ]),
    )
    .execute();
  for (const { session_id, ...runner } of left) {
    if (parts.presence.isConnected(runner)) continue;
    await parts.log.change(session_id, async (change) => {
      if (change.session.runner_id === runner.id) await changeRunner(parts, change, { runnerId: localRunnerId });
    });
  }
}
