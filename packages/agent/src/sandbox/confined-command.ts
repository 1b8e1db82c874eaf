import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bubblewrapCommand, withoutRights } from './bubblewrap-command.ts';
import type { Bubblewrap } from './find-bubblewrap.ts';
import { type Mount, mountArguments, systemArguments } from './mounts.ts';
import type { BegunLimit } from './process-limit.ts';
import type { Limits } from './run-confined.ts';

/** What a confined command is made of. */
interface Confined {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  mounts: readonly Mount[];
  limits: Limits;
  processes: BegunLimit;
}

/**
 * A command that sees just enough to run: the system's programs, Node, what is named, and a small folder in memory. It sees
 * nothing of the machine's people and has no network. Its state goes to file descriptor 3.
 */
export async function confinedCommand(
  bubblewrap: Bubblewrap,
  { command, cwd, env, mounts, limits, processes }: Confined,
): Promise<string[]> {
  return bubblewrapCommand(bubblewrap, { strictness: 'strict', before: processes.outside }, [
    ...withoutRights(bubblewrap),
    ...APART,
    ...(await systemArguments()),
    ...KERNEL_FOLDERS,
    ...(bubblewrap.canLimitSize ? ['--size', String(limits.memoryBytes)] : []),
    ...TEMPORARY_FOLDER,
    ...(await mountArguments([...mounts, { path: process.execPath, is: 'read-only' }])),
    ...NO_OTHER_PLACE_TO_WRITE,
    ...environment(env),
    '--chdir',
    await realpath(cwd),
    '--',
    ...limited(limits, processes, command),
  ]);
}

const APART = ['--unshare-all', '--clearenv', '--json-status-fd', '3'];
const KERNEL_FOLDERS = ['--proc', '/proc', '--dev', '/dev'];
const TEMPORARY_FOLDER = ['--tmpfs', '/tmp'];
/**
 * What bubblewrap made of memory must not become a place to write without limit. And root owns the kernel's settings in
 * /proc/sys even without any capability, so they are not left to ownership.
 */
const NO_OTHER_PLACE_TO_WRITE = ['/dev', '/proc', '/'].flatMap((path) => ['--remount-ro', path]);

function environment(env: Readonly<Record<string, string>>): string[] {
  const PATH = `${dirname(process.execPath)}:/usr/bin:/bin`;
  return Object.entries({ HOME: '/tmp', TMPDIR: '/tmp', PATH, LANG: 'C.UTF-8', ...env }).flatMap(([name, value]) => [
    '--setenv',
    name,
    value,
  ]);
}

/** Room for what V8 and its threads reserve and never touch: a Node that does nothing has 320 MB of it. */
const RESERVED_BYTES = 2 ** 30;

/**
 * The kernel's limits, against what grows faster than we look: no core dumps, the memory of one process, the size of a file,
 * the number of processes. A shell sets them and becomes the command.
 */
function limited({ memoryBytes }: Limits, { inside }: BegunLimit, command: readonly string[]): string[] {
  const limits = [
    'ulimit -c 0',
    `ulimit -d ${Math.ceil((memoryBytes + RESERVED_BYTES) / 1024)}`,
    `ulimit -f ${Math.ceil(memoryBytes / 512)}`,
    inside,
  ];
  return ['/bin/sh', '-c', `{ ${limits.join(' && ')}; } 2>/dev/null && exec "$@"`, 'sh', ...command];
}
