import { mkdirSync, rmdirSync } from 'node:fs';
import { lstat, readdir, readlink, realpath, rename, symlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { gitPlaces } from './git-places.ts';
import { isWithin, type Mount } from './mounts.ts';
import { KEPT_EMPTY, protectedAmong } from './protected-names.ts';

/** Something that a command made or replaced where it must not, and the name it has now. */
export interface HeldBack {
  path: string;
  /** Undefined where it could not be renamed. */
  renamedTo: string | undefined;
}

/** Folders that a command may change, but for what is protected in them. */
export interface FolderGuard {
  mounts: Mount[];
  /** When the command has ended: takes its name from what appeared at a protected place meanwhile. */
  settle(): Promise<HeldBack[]>;
}

/**
 * Guards what other programs run or obey in folders that a command may change.
 *
 * What is there is mounted read-only. A mount point cannot be renamed, but a folder above one can, and something else can be put in
 * its place; so every folder on the way is a mount point too. A name that is not there cannot be mounted: the most important ones
 * are made first, as empty folders, and others that appear are renamed when the command has ended. So are symbolic links that
 * were replaced, since there are no mounts on links. Nothing is deleted: the person may have made it meanwhile.
 *
 * `covered` are folders that the command cannot change anyway.
 */
export async function guardFolders(folders: readonly string[], covered: readonly string[]): Promise<FolderGuard> {
  const skipped = new Set(await realPaths(covered));
  const roots = outermost(await realPaths(folders));
  const places = keepPlaces(roots);
  try {
    const before = await findProtected(roots, skipped);
    const others = await otherPlaces(before, roots, skipped);
    const there = new Set([...before].filter(([, link]) => link === undefined).map(([path]) => path));
    const absent: string[] = [];
    for (const path of others)
      if (await exists(path)) there.add(path);
      else absent.push(path);

    const steps = new Set([...there].flatMap((path) => roots.flatMap((root) => foldersBetween(root, path))));
    return {
      mounts: [...asMounts('writable', [...roots, ...steps]), ...asMounts('read-only', there)],
      async settle() {
        try {
          const appeared = (await Promise.all(absent.map(exists))).flatMap((is, index) => (is ? [absent[index]!] : []));
          return await holdBack(before, await findProtected(roots, skipped), appeared);
        } finally {
          letPlacesGo(places);
        }
      },
    };
  } catch (error) {
    letPlacesGo(places);
    throw error;
  }
}

function asMounts(is: Mount['is'], paths: Iterable<string>): Mount[] {
  return [...paths].map((path) => ({ path, is }));
}

/** Protected things by their path. Of a symbolic link, what it says. */
type Found = ReadonlyMap<string, string | undefined>;

async function findProtected(roots: readonly string[], skipped: ReadonlySet<string>): Promise<Found> {
  const found = new Map<string, string | undefined>();
  const look = async (folder: string): Promise<void> => {
    if (skipped.has(folder)) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = new Set(protectedAmong(entries.map(({ name }) => name)));
    await Promise.all(
      entries.map(async (entry) => {
        const path = join(folder, entry.name);
        if (!names.has(entry.name)) return entry.isDirectory() ? look(path) : undefined;
        if (skipped.has(path)) return undefined;
        found.set(path, entry.isSymbolicLink() ? await readlink(path).catch(() => '') : undefined);
      }),
    );
  };
  await Promise.all(roots.map(look));
  return found;
}

/** What protected things refer to elsewhere in the folders, whether it is there or not. */
async function otherPlaces(found: Found, roots: readonly string[], skipped: ReadonlySet<string>): Promise<string[]> {
  const named = await Promise.all(
    [...found].map(async ([path, link]) => {
      const isGit = basename(path).toLowerCase() === '.git';
      return [...(link === undefined ? [] : [path]), ...(isGit ? await gitPlaces(path) : await linksIn(path, 3))];
    }),
  );
  const real = await Promise.all(named.flat().map((path) => realpath(path).catch(() => path)));
  const unchangeable = new Set([
    ...skipped,
    ...[...found].filter(([, link]) => link === undefined).map(([path]) => path),
  ]);
  return outermost(
    real.filter(
      (path) =>
        roots.some((root) => isWithin(root, path)) &&
        // A link to a whole project does not make it read-only.
        !roots.some((root) => isWithin(path, root)) &&
        !isBelowAny(unchangeable, path),
    ),
  );
}

async function linksIn(folder: string, levels: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() && levels > 1 ? linksIn(path, levels - 1) : [];
  });
  return (await Promise.all(found)).flat();
}

async function holdBack(before: Found, after: Found, appeared: readonly string[]): Promise<HeldBack[]> {
  const isNew = ([path, link]: [string, string | undefined]) => !before.has(path) || before.get(path) !== link;
  const held: HeldBack[] = [];
  for (const path of new Set([...[...after].filter(isNew).map(([path]) => path), ...appeared]))
    held.push({ path, renamedTo: await takeName(path) });
  for (const [path, link] of before)
    if (link !== undefined && after.get(path) !== link) await symlink(link, path).catch(() => {});
  return held;
}

async function takeName(path: string): Promise<string | undefined> {
  for (let number = 1; number < 1000; number++) {
    const name = `${path}.held-back${number === 1 ? '' : `-${number}`}`;
    if (await exists(name)) continue;
    return rename(path, name).then(
      () => name,
      () => undefined,
    );
  }
  return undefined;
}

/** Empty folders that stand in for what is not there, and how many commands need each. */
const kept = new Map<string, number>();

function keepPlaces(roots: readonly string[]): string[] {
  const places = roots.flatMap((root) => KEPT_EMPTY.map((name) => join(root, name)));
  const ours = places.filter((path) => kept.has(path) || makes(path));
  if (kept.size === 0 && ours.length > 0) process.on('exit', letAllGo);
  for (const path of ours) kept.set(path, (kept.get(path) ?? 0) + 1);
  return ours;
}

function letPlacesGo(places: string[]): void {
  for (const path of places.splice(0)) {
    const users = kept.get(path)! - 1;
    if (users > 0) kept.set(path, users);
    else letGo(path);
  }
  if (kept.size === 0) process.off('exit', letAllGo);
}

function letAllGo(): void {
  for (const path of kept.keys()) letGo(path);
}

function letGo(path: string): void {
  kept.delete(path);
  try {
    rmdirSync(path);
  } catch {
    // Somebody outside has put something into it.
  }
}

/** In one go: between asking and making, another command could take the folder for somebody else's. */
function makes(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false; // It is there, or cannot be made from inside either.
  }
}

async function realPaths(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return real.filter((path) => path !== undefined);
}

/** Without those that are inside another one. */
function outermost(paths: readonly string[]): string[] {
  const sorted = [...new Set(paths)].toSorted((a, b) => a.length - b.length);
  const outer = new Set<string>();
  for (const path of sorted) if (!isBelowAny(outer, path)) outer.add(path);
  return [...outer];
}

/** Is a path in the list, or inside something that is? */
function isBelowAny(folders: ReadonlySet<string>, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (folders.has(at)) return true;
    if (at === dirname(at)) return false;
  }
}

/** The folders on the way from one to what is deep inside it, without both. */
function foldersBetween(root: string, path: string): string[] {
  if (!isWithin(root, path)) return [];
  const names = dirname(path)
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== '');
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
