import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '@dragoman/server/beside';

/** Nobody is kept waiting for longer by a window that hangs. */
const LIMIT_MS = 20_000;
const POLL_MS = 50;

/**
 * Does what all windows do at the same moment, such as when the server moved, in one after the other: the second then finds
 * what the first made. A window that is gone holds up nobody.
 */
export async function oneWindowAtATime<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const file = join(folder, 'augment-connection.lock');
  await mkdir(folder, { recursive: true });
  const last = performance.now() + LIMIT_MS;
  let isHeld = await hold(file);
  while (!isHeld && performance.now() < last) {
    if (await isLeftBehind(file)) await rm(file, { force: true });
    else await delay(POLL_MS);
    isHeld = await hold(file);
  }
  try {
    return await work();
  } finally {
    if (isHeld) await rm(file, { force: true });
  }
}

async function hold(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** An empty file is of a window that is about to write into it, and one that is gone was given back. */
async function isLeftBehind(file: string): Promise<boolean> {
  try {
    const pid = await readFile(file, 'utf8');
    return pid !== '' && !isAlive(Number(pid));
  } catch {
    return false;
  }
}
