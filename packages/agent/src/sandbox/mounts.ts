import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** What is seen at a path inside: the real thing, read-only or not, or nothing at all. */
export interface Mount {
  path: string;
  is: 'read-only' | 'writable' | 'hidden';
}

/**
 * Mounts as arguments for bubblewrap, from the root downwards.
 *
 * The deeper path comes later and so wins, whichever list it is from: keys in a home folder stay hidden where the project is
 * the home folder, and a project inside a hidden folder is seen. On the same path, what was asked for is seen.
 * What does not exist is left out, and so is hiding what nobody could see. `seen` is what is mounted already, and `emptied` what
 * of it has been made empty.
 */
export async function mountArguments(
  mounts: readonly Mount[],
  { seen = [], emptied = [] }: { seen?: readonly string[]; emptied?: readonly string[] } = {},
): Promise<string[]> {
  const real = (await Promise.all(mounts.map(asReal))).filter((mount) => mount !== undefined);
  const sorted = real.toSorted((a, b) => depth(a.path) - depth(b.path) || ORDER[a.is] - ORDER[b.is]);
  const shown = [...seen, ...sorted.filter(({ is }) => is !== 'hidden').map(({ path }) => path)];

  const deepest = (folders: readonly string[], path: string) =>
    Math.max(-1, ...folders.filter((folder) => isWithin(folder, path)).map(depth));
  const isSeen = (path: string) => deepest(shown, path) > deepest(emptied, path);
  const hidden = sorted.filter(({ path, is }) => is === 'hidden' && isSeen(path));

  return [
    ...sorted.flatMap((mount) => {
      const { path, is, isFolder } = mount;
      if (is === 'writable') return ['--bind', path, path];
      if (is === 'read-only') return ['--ro-bind', path, path];
      if (!hidden.includes(mount)) return [];
      return isFolder ? ['--tmpfs', path] : ['--dev-bind', '/dev/null', path];
    }),
    // Only now: until here, places for what is below were made in them.
    ...hidden.flatMap(({ path, isFolder }) => (isFolder ? ['--remount-ro', path] : [])),
  ];
}

/** Programs and their libraries, as a system has them: folders, or links where they have moved into /usr. */
export async function systemArguments(): Promise<string[]> {
  const found = await Promise.all(SYSTEM.map(systemMount));
  return found.flat();
}

/** Is `path` this folder, or something in it? */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/localtime',
];

const ORDER: Record<Mount['is'], number> = { hidden: 0, 'read-only': 1, writable: 2 };

async function asReal({ path, is }: Mount): Promise<(Mount & { isFolder: boolean }) | undefined> {
  try {
    const real = await realpath(path);
    return { path: real, is, isFolder: (await stat(real)).isDirectory() };
  } catch {
    return undefined;
  }
}

async function systemMount(path: string): Promise<string[]> {
  try {
    if ((await lstat(path)).isSymbolicLink()) return ['--symlink', await readlink(path), path];
    return ['--ro-bind', path, path];
  } catch {
    return [];
  }
}

function depth(path: string): number {
  return path.split(sep).filter((name) => name !== '').length;
}
