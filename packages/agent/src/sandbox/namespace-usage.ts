import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';

/** What everything inside a sandbox uses together. */
interface NamespaceUsage {
  processes: number;
  /** Memory of its own, shared memory, and files in the temporary folder, which are memory too. */
  bytes: number;
}

/**
 * Looks into a sandbox from outside, through the root folder of its first process: its /proc lists exactly the processes
 * that are in it, orphans too, and nothing can leave it.
 *
 * Reading is synchronous: it is a few small files of the kernel, and must not wait behind whatever else is being read. When
 * there are too many processes, their memory is not even asked for. Undefined when the sandbox is gone or not yet there.
 */
export function namespaceUsage(firstPid: number, maxProcesses: number): NamespaceUsage | undefined {
  const root = `/proc/${firstPid}/root`;
  try {
    // As long as bubblewrap is setting it up, its root is ours, and so are the processes.
    if (statSync(`${root}/proc`).dev === statSync('/proc').dev) return undefined;
    const pids = readdirSync(`${root}/proc`).filter((name) => /^\d+$/.test(name));
    // The first process is bubblewrap itself.
    const processes = pids.length - 1;
    if (processes > maxProcesses) return { processes, bytes: 0 };

    const files = statfsSync(`${root}/tmp`);
    let bytes = (files.blocks - files.bfree) * files.bsize;
    for (const pid of pids) bytes += memoryOf(`${root}/proc/${pid}/status`);
    return { processes, bytes };
  } catch {
    return undefined;
  }
}

function memoryOf(statusFile: string): number {
  try {
    const status = readFileSync(statusFile, 'latin1');
    let kilobytes = 0;
    // Without the pages of files: every Node process shares those of the program.
    for (const [, amount] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(amount);
    return kilobytes * 1024;
  } catch {
    return 0; // It ended while we looked.
  }
}
