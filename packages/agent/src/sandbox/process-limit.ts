import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rmdir, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ToolError } from '../tools/tool.ts';

/**
 * How many processes and threads a sandbox can have, held by the kernel.
 *
 * Looking from time to time is not enough: a program that forks for ever fills a machine in less than a second, and then
 * nobody gets to look. Where neither way is open, the sandbox is refused.
 */
interface ProcessLimit {
  /** Makes the limit for one run. */
  begin(maxThreads: number): Promise<BegunLimit>;
}

/** The limit of one run: shell commands for outside and inside the sandbox, each of which must succeed. */
export interface BegunLimit {
  outside: string;
  inside: string;
  /** After everything in it has ended. */
  end(): Promise<void>;
}

/** What is known of the machine; the real one unless a test says otherwise. */
export interface ProcessLimitPlace {
  isRoot?: boolean;
  kernel?: string;
  /** Where control groups are mounted. */
  cgroups?: string;
}

/** Chooses what works here. Throws a `ToolError` where nothing does. */
export async function findProcessLimit({
  isRoot = process.getuid?.() === 0,
  kernel = release(),
  cgroups = '/sys/fs/cgroup',
}: ProcessLimitPlace = {}): Promise<ProcessLimit> {
  if (!isRoot) {
    if (countsPerNamespace(kernel)) return ofTheNamespace;
    throw new ToolError(
      `The sandbox needs Linux 5.14 or later to limit the number of processes in it; this is ${kernel}. ` +
        'Skills with `mode: direct` in their SKILL.md work without it.',
    );
  }

  // The kernel does not hold root to a number of processes, so root makes a control group.
  const places = [join(cgroups, 'pids'), cgroups];
  for (const place of places) if (await canHold(place)) return ofControlGroups(place);
  throw new ToolError(
    `The sandbox cannot limit the number of processes: Dragoman runs as root, and ${cgroups} is not writable or has no pids ` +
      'controller. Run Dragoman as an ordinary user. Skills with `mode: direct` in their SKILL.md work without it.',
  );
}

/** Since 5.14 the limit on a person's processes counts those in a user namespace alone. */
function countsPerNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map(Number.parseFloat);
  return major > 5 || (major === 5 && minor >= 14);
}

const ofTheNamespace: ProcessLimit = {
  async begin(maxThreads) {
    // Which letter it is depends on the shell.
    return { outside: ':', inside: `{ ulimit -u ${maxThreads} || ulimit -p ${maxThreads}; }`, async end() {} };
  },
};

const PREFIX = 'dragoman-sandbox-';

/** The number of the process is for cleaning up after it; threads of it make groups at the same time. */
function newGroup(place: string): string {
  return join(place, `${PREFIX}${process.pid}-${randomUUID()}`);
}

function ofControlGroups(place: string): ProcessLimit {
  return {
    async begin(maxThreads) {
      const group = newGroup(place);
      await mkdir(group);
      await writeFile(join(group, 'pids.max'), String(maxThreads));
      return { outside: `echo $$ > '${group}/cgroup.procs'`, inside: ':', end: () => remove(group) };
    },
  };
}

async function canHold(place: string): Promise<boolean> {
  const group = newGroup(place);
  try {
    await mkdir(group);
  } catch {
    return false;
  }
  // Without the controller the group is there and has no such file.
  const can = existsSync(join(group, 'pids.max'));
  await remove(group);
  if (can) await removeLeftOver(place);
  return can;
}

/** Groups of a Dragoman that was killed. */
async function removeLeftOver(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = name.startsWith(PREFIX) ? /\d+/.exec(name)?.[0] : undefined;
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await rmdir(join(place, name)).catch(() => {});
  }
}

/** A group can be removed a moment after its last process ended. */
async function remove(group: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await rmdir(group);
      return;
    } catch {
      await wait(5);
    }
  }
}
