import { join } from 'node:path';
import type { ProcessIdentity } from '@dragoman/server/base';
import { folderHolder, isFolderHeld } from './outbox/folder-lock.ts';
import { Outbox } from './outbox/outbox.ts';
import type { RunnerLog } from './runner-log.ts';

/** What the hub knows the runner by that works in this folder, whether or not it runs now. */
export function runnerIdIn(folder: string, log: RunnerLog): string {
  return Outbox.runnerIdIn(outboxOf(folder), log);
}

/** The same where there was one; nothing where none ever was. */
export function knownRunnerIdIn(folder: string): string | undefined {
  return Outbox.knownRunnerIdIn(outboxOf(folder));
}

/** Whether the runner of this folder runs, in whichever process. */
export function isRunnerIn(folder: string): boolean {
  return isFolderHeld(outboxOf(folder));
}

/** The process that the runner of this folder lives in; nothing where it does not run, or is not known for the one. */
export function runnerProcessIn(folder: string): ProcessIdentity | undefined {
  return folderHolder(outboxOf(folder));
}

function outboxOf(folder: string): string {
  return join(folder, 'outbox');
}
