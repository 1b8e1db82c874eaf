import { join } from 'node:path';
import { Outbox } from './outbox/outbox.ts';
import type { RunnerLog } from './runner-log.ts';

/** What the hub knows the runner by that works in this folder, whether or not it runs now. */
export function runnerIdIn(folder: string, log: RunnerLog): string {
  return Outbox.runnerIdIn(join(folder, 'outbox'), log);
}
