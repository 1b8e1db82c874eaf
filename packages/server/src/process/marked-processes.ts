import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** In the environment of what is started for somebody. Everything that is started by it has it too, unless it is taken out. */
export const MARK_VARIABLE = 'DRAGOMAN_STARTED_FOR';
/** Processes that start others while they are ended are looked for again. */
const MOST_LOOKS = 5;

/** A word by which processes are known that left their group, as daemons do (`setsid`). */
export function newMark(): string {
  return randomUUID();
}

/** The environment that gives a process its mark. */
export function markEnvironment(mark: string): Record<string, string> {
  return { [MARK_VARIABLE]: mark };
}

/** Ends every process with this mark, where the system tells the environments of processes (Linux). */
export function endMarked(mark: string): void {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const marked = processesWith(`${MARK_VARIABLE}=${mark}`);
    if (marked.length === 0) return;
    for (const pid of marked) kill(pid);
  }
}

function processesWith(variable: string): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
      .filter((pid) => hasVariable(pid, variable))
      .map(Number);
  } catch {
    return [];
  }
}

/** One that has ended and was not reaped yet has no environment any more. */
function hasVariable(pid: string, variable: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variable);
  } catch {
    return false; // It is gone, or somebody else's.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}
