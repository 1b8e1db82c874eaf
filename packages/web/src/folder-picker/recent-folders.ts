import type { HubSession } from '@dragoman/protocol';
import { neverStarted } from '../api/never-started.ts';

/** The folders of the latest sessions that came to something on a machine, each once, the latest first. */
export function recentFolders(sessions: readonly HubSession[], runnerId: string | undefined, most = 4): string[] {
  const onMachine = sessions.filter(
    (session) => (runnerId === undefined || session.runnerId === runnerId) && !neverStarted(session),
  );
  const latest = onMachine.toSorted((one, other) => other.updatedAt - one.updatedAt);
  return [...new Set(latest.map(({ folder }) => folder))].slice(0, most);
}
