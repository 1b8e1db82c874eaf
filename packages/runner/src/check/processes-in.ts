import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * The processes that work in a folder or below it: `pid@start` and the command. Undefined where the system does not
 * tell (it takes /proc).
 *
 * A process that was orphaned has another parent but still the folder it was started in.
 */
export function processesIn(folder: string): Map<string, string> | undefined {
  const root = realpathSync(folder);
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  } catch {
    return undefined;
  }
  const found = new Map<string, string>();
  for (const pid of pids) {
    try {
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      if (cwd !== root && !cwd.startsWith(`${root}${sep}`)) continue;
      // After the name, which may hold anything: state, …, and the time it was started as the twentieth.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      if (fields[0] === 'Z') continue;
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      found.set(`${pid}@${fields[19]}`, `${command || 'a process'} (pid ${pid})`);
    } catch {
      // It is gone, or somebody else's.
    }
  }
  return found;
}
