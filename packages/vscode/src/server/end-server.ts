import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import { isAlive } from '@dragoman/server/beside';
import { findServer, type FoundServer, lockState, readLock } from './find-server.ts';
import { serverWords } from './server-words.ts';

/** A server lets running answers end for ten seconds. */
const PATIENCE_MS = 15_000;
const POLL_MS = 50;

/**
 * Ends the server of a data folder of ours, if it is still the one that is meant: another window may have ended it and
 * started the next, which is then left alone.
 */
export async function endServer(
  home: string,
  meant: FoundServer,
  { signal, patienceMs = PATIENCE_MS }: { signal?: AbortSignal; patienceMs?: number } = {},
): Promise<void> {
  const found = await findServer(home, signal);
  // The number in a lock may be another program's by now; who proves to be the one that wrote it is the server itself.
  if (found === undefined || found.startedAt !== meant.startedAt) return;
  for (const how of ['SIGTERM', 'SIGKILL'] as const) {
    send(found.pid, how);
    for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
      if (!isAlive(found.pid) || !holds(home, found)) return;
      await delay(POLL_MS, undefined, { signal });
    }
  }
  throw new DragomanError('timed-out', serverWords.now().cannotEnd(found.pid));
}

/** A process whose parent does not look after it seems alive for ever; a lock that it let go of says that it is done. */
function holds(home: string, { startedAt }: FoundServer): boolean {
  const note = readLock(home);
  // While it stops, the lock names no address for others; it is let go of at the very end.
  return note === undefined ? lockState(home) !== 'none' : note.startedAt === startedAt;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}
