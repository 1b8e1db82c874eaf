import type { HubRunner, HubSession } from '@dragoman/protocol';
import { neverStarted } from '../../api/never-started.ts';

/** What a session was started with. */
export interface Combination {
  agent: string;
  runnerId: string;
  folder: string;
}

/** What the latest sessions that came to something were started with, each once; on machines that may be used. */
export function recentCombinations(
  sessions: readonly HubSession[],
  runners: readonly HubRunner[],
  most = 4,
): Combination[] {
  const found = new Map<string, Combination>();
  const started = sessions.filter((session) => !neverStarted(session));
  for (const { agent, runnerId, folder } of started.toSorted((one, other) => other.createdAt - one.createdAt)) {
    const key = JSON.stringify([agent, runnerId, folder]);
    if (found.has(key) || !runners.some(({ id }) => id === runnerId)) continue;
    found.set(key, { agent, runnerId, folder });
    if (found.size === most) break;
  }
  return [...found.values()];
}
