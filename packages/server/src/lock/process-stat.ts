import { readFileSync } from 'node:fs';

let boot: string | undefined;

/** What Linux tells of a process; see proc(5). Its name may hold anything, so the fields are counted from behind it. */
export function readProcessStat(pid: number): { birth: string; hasEnded: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Counted from the start of the machine, so it takes both.
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return { birth: `${boot}/${fields[19]!}`, hasEnded: fields[0] === 'Z' || fields[0] === 'X' };
  } catch {
    return undefined;
  }
}
