import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that belongs to an editor. */
export interface SeenProcess {
  pid: number;
  /** Its command and arguments. */
  args: string[];
}

const END_LIMIT_MS = 60_000;

/**
 * The processes whose environment names the editor's folder.
 *
 * An extension may start a process that leaves the group and outlives its parent, so neither group nor parent finds them
 * all; what was inherited does. Only Linux can tell; elsewhere the list is empty.
 */
export function ownProcesses(folder: string): SeenProcess[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!words(`/proc/${name}/environ`).some((word) => word.includes(folder))) return [];
        return [{ pid: Number(name), args: words(`/proc/${name}/cmdline`) }];
      } catch {
        return []; // It ended while we looked, or is somebody else's.
      }
    });
}

/** Ends them all and waits until none is left. */
export async function endOwnProcesses(folder: string): Promise<void> {
  const last = Date.now() + END_LIMIT_MS;
  for (let left = ownProcesses(folder); left.length > 0; left = ownProcesses(folder)) {
    for (const { pid } of left) end(pid);
    if (Date.now() > last) throw new Error(`${left.map(({ args }) => args.join(' ')).join('; ')} cannot be ended`);
    await delay(20);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}

function words(path: string): string[] {
  return readFileSync(path, 'utf8').split('\0').slice(0, -1);
}
