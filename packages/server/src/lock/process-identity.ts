import { isAlive } from './is-alive.ts';
import { readProcessStat } from './process-stat.ts';

/** A process by its number and by when it was started: the system gives a number to another process later. */
export interface ProcessIdentity {
  pid: number;
  /** Equal for the same process only. Not there where the system does not tell it (anywhere but Linux). */
  birth?: string | undefined;
}

/** The process that has this number now. */
export function identifyProcess(pid: number): ProcessIdentity {
  const birth = readProcessStat(pid)?.birth;
  return birth === undefined ? { pid } : { pid, birth };
}

/** Whether it is that process which has the number, and runs. */
export function isProcessAlive({ pid, birth }: ProcessIdentity): boolean {
  if (!isAlive(pid)) return false;
  const now = readProcessStat(pid)?.birth;
  return birth === undefined || now === undefined || now === birth;
}

/** Whether it is known for certain to be that process. */
export function isProcessProven(identity: ProcessIdentity): boolean {
  return identity.birth !== undefined && isProcessAlive(identity);
}
