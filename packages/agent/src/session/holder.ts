import { hostname } from 'node:os';

const startedAt = Math.round(Date.now() - process.uptime() * 1000);

/** This process, as a name that no other process has, on this machine or another. */
export function thisProcess(): string {
  return `${hostname()}:${process.pid}:${startedAt}`;
}

/** Whether the process of that name may still be there. Of another machine that is not known. */
export function isHolderAlive(holder: string): boolean {
  const [host, pid] = holder.split(':');
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return false; // An earlier process that had our number.
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
