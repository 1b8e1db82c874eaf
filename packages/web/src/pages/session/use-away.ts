import type { HubSession, MachineAway, SessionView } from '@dragoman/protocol';
import { useCall } from '../../api/calls.ts';

/** How the machine of a session is away, as it is right now; nothing where it is connected. */
export function useAway(view: SessionView, session: HubSession | undefined): MachineAway | undefined {
  const runner = useCall('listRunners').data?.runners.find(({ id }) => id === view.info.runnerId);
  if (runner?.isConnected === true) return undefined;
  if (session?.away !== undefined) return session.away;
  return runner === undefined ? undefined : { machine: runner.name, since: runner.lastSeenAt, state: 'away' };
}
