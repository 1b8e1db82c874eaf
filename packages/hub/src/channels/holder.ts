import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Those that are made in this process and not ended: tests, and who mounts the hub twice, have several. */
const here = new Set<string>();

/**
 * Makes a name for who works for channels: the host, the process on it, and something of its own. By the first two another
 * process on the same host sees when this one is gone, and need not wait.
 */
export function newHolder(): string {
  const holder = `${hostName()} ${process.pid} ${randomUUID()}`;
  here.add(holder);
  return holder;
}

/** It works no more. */
export function endHolder(holder: string): void {
  here.delete(holder);
}

/** Whether a holder is known not to live any more. Of other hosts nothing is known. */
export function isGone(holder: string): boolean {
  const [host, pid = '', id] = holder.split(' ');
  if (id === undefined || host !== hostName() || !/^[1-9]\d*$/.test(pid)) return false;
  // A process that has our number now is not the one that had it then.
  if (Number(pid) === process.pid) return !here.has(holder);
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

let known: string | undefined;

/** Containers may share the name of their host and count their processes each for itself, so that is a part of the name. */
function hostName(): string {
  known ??= `${hostname().replaceAll(/\s/g, '-')}/${processSpace()}`;
  return known;
}

function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return process.platform;
  }
}
