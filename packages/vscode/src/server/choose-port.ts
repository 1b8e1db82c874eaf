import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Where a new port is drawn from: below those that systems give to outgoing connections (from 32768 on Linux, from 49152
 * elsewhere). One of those may go to any program while the server restarts, and its windows would lose its address.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 20;
/** How long a server that is gone may take to let go of its port, on a busy machine. */
const LEAVING_MS = 3_000;
const POLL_MS = 50;

/** Ports that a server of ours had. */
interface KnownPorts {
  /** Until a moment ago: the system takes it from a process that was killed a little after its connections. */
  before?: number | undefined;
  kept: number;
}

/** The port of before, else the one that was kept, else a new one; 0, which is any, where none was found to be free. */
export async function choosePort({ before = 0, kept }: KnownPorts): Promise<number> {
  for (let waited = 0; before !== 0 && waited < LEAVING_MS; waited += POLL_MS) {
    if (await isFree(before)) return before;
    await delay(POLL_MS);
  }
  if (kept !== before && (await isFree(kept))) return kept;
  for (let tries = 0; tries < TRIES; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  return 0;
}

async function isFree(port: number): Promise<boolean> {
  if (port === 0) return false;
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .once('listening', () => probe.close(() => resolve(true)))
      .listen(port, '127.0.0.1');
  });
}
