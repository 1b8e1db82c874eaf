import { readdirSync, readFileSync } from 'node:fs';

const POLL_MS = 20;
/** After SIGKILL the kernel needs a moment; what is still listed then is only waiting to be reaped. */
const AFTER_KILL_MS = 500;

/** Sends a signal to every process of a group. False when the group is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // Somebody else's process is in it, `sudo` for one: it is there, and out of reach.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Whether any process of a group still runs.
 *
 * One that has ended is listed until its parent takes note, and the first process of a container often never does; so
 * where the system tells, those are not counted.
 */
export function isGroupRunning(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false;
  try {
    return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && isRunningIn(pid, entry));
  } catch {
    return true;
  }
}

/** Asks a group to end, and ends it after `graceMs`. Resolves when it is gone. */
export async function stopGroup(pid: number, graceMs: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  if (await isGone(pid, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await isGone(pid, AFTER_KILL_MS);
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (isGroupRunning(pid)) {
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** `/proc/<pid>/stat`: id, name in parentheses, state, parent, group. */
function isRunningIn(group: number, entry: string): boolean {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(pgrp) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
