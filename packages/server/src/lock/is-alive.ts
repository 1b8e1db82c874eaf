import { readProcessStat } from './process-stat.ts';

/** Whether a process of that number runs, whoever it belongs to. One that only waits for its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return readProcessStat(pid)?.hasEnded !== true;
}
