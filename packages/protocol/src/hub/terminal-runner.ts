import { newId } from '../id.ts';

const PREFIX = 'run_terminal-';

/** The id of a runner that is there only while a command works in a terminal. */
export function newTerminalRunnerId(): string {
  return newId('run').replace('run_', PREFIX);
}

/** Whether a runner is one of a terminal. Its sessions belong to the server's machine as soon as it is gone. */
export function isTerminalRunner(runnerId: string): boolean {
  return runnerId.startsWith(PREFIX);
}
