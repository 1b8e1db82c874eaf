import { createServer } from 'node:net';

/**
 * Where a new port is drawn from: below those that systems give to outgoing connections (from 32768 on Linux, from 49152
 * elsewhere). One of those may go to any program while the server restarts, and its windows would lose its address.
 */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 20;

/** The first of the wanted ports that is free, else a new one; 0, which is any, where none was found. */
export async function choosePort(wanted: readonly number[]): Promise<number> {
  for (const port of wanted) if (await isFree(port)) return port;
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
