import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive } from '../lock/is-alive.ts';

/** Those that are made in this process and not ended: tests, and who mounts a room twice, have several. */
const here = new Set<string>();

/**
 * Makes a name for who holds something in a store that others may share: the host, the process on it, and something of its own.
 * By the first two another process on the same host sees when this one is gone, and need not wait.
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
  return Number(pid) === process.pid ? !here.has(holder) : !isAlive(Number(pid));
}

/** A holder for people: the number of its process, and where that is. */
export function describeHolder(holder: string): string {
  const [host = '', pid = ''] = holder.split(' ');
  return `${pid} on ${host.split('/', 1)[0]!}`;
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
