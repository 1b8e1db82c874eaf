import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningDragoman } from '@dragoman/testkit';

/** The process that hosts the agents of a data folder. */
export function agentsProcess(home: string): number {
  return (JSON.parse(readFileSync(join(home, 'runner/server/outbox/holder.json'), 'utf8')) as { pid: number }).pid;
}

/** The machine is off at once: the server and the process that hosts its agents. */
export async function cutPower(server: Pick<RunningDragoman, 'home' | 'stop'>): Promise<void> {
  process.kill(agentsProcess(server.home), 'SIGKILL');
  await server.stop('SIGKILL');
}
