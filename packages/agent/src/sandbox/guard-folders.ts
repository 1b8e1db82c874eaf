import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { ToolError } from '../tools/tool.ts';
import { entriesOf, exists, findProtected, linksAt, type Protected, textOf } from './find-protected.ts';
import { gitPlaces } from './git-places.ts';
import type { HeldBack } from './hold-back.ts';
import { keepPlaces } from './kept-places.ts';
import { isWithin, type Mount } from './mounts.ts';
import { noteRunning } from './running-notes.ts';
import { type Guarded, settleGuarded } from './settle-guarded.ts';
import { tracePath } from './trace-path.ts';

/** Folders that a command may change, but for what is protected in them. */
export interface FolderGuard {
  mounts: Mount[];
  /** When the command has ended: takes its name from what appeared at a protected place meanwhile. */
  settle(): Promise<HeldBack[]>;
}

/** What guarding needs to know. */
export interface GuardOptions {
  /** Folders that the command may change. */
  folders: readonly string[];
  /** What it cannot change anyway. */
  covered: readonly string[];
  /** Where it is noted for as long as the command runs, in case we are killed meanwhile. */
  notes?: string | undefined;
}

/**
 * Guards what other programs run or obey in folders that a command may change.
 *
 * What is there is mounted read-only. A mount point cannot be renamed, but a folder above one can, and something else can be put in
 * its place; so every folder on the way is a mount point too. A name that is not there cannot be mounted: the most important ones
 * are made first, as empty folders, and others that appear are renamed when the command has ended. So are symbolic links that
 * were replaced, since there are no mounts on links. Nothing is deleted: the person may have made it meanwhile.
 */
export async function guardFolders({ folders, covered, notes }: GuardOptions): Promise<FolderGuard> {
  const skipped = new Set(await realPaths(covered));
  const roots = outermost(await realPaths(folders));
  const places = keepPlaces(roots);
  try {
    const { things: named, closed } = await findProtected(roots, skipped);
    for (const root of roots) if (closed.has(root)) throw cannotLook(root);
    const { links, ends } = await otherPlaces(named, roots, new Set([...skipped, ...closed]));
    const before: Protected = new Map([...named, ...links]);
    const fixed = new Set([...closed, ...[...before].filter(([, link]) => link === undefined).map(([path]) => path)]);
    const absent: string[] = [];
    for (const path of ends)
      if (await exists(path)) fixed.add(path);
      else absent.push(path);

    const ways = new Set(
      [...fixed, ...absent, ...before.keys()].flatMap((path) => roots.flatMap((root) => foldersBetween(root, path))),
    );
    const steps: string[] = [];
    for (const path of ways) if (await exists(path)) steps.push(path); // Else it is on the way to what is absent.
    const guarded: Guarded = {
      roots,
      skipped: [...skipped, ...closed],
      before: [...before].map(([path, link]) => [path, link ?? null]),
      links: [...links.keys()],
      absent,
    };
    const forget = notes === undefined ? () => {} : noteRunning(notes, { guarded, places: places.made });
    return {
      mounts: [...asMounts('writable', [...roots, ...steps]), ...asMounts('read-only', fixed)],
      async settle() {
        try {
          return await settleGuarded(guarded, places.replaced());
        } finally {
          places.letGo();
          forget();
        }
      },
    };
  } catch (error) {
    places.letGo();
    throw error;
  }
}

function asMounts(is: Mount['is'], paths: Iterable<string>): Mount[] {
  return [...paths].map((path) => ({ path, is }));
}

function cannotLook(folder: string): ToolError {
  return new ToolError(
    `${folder} cannot be looked into, so the sandbox cannot tell what to protect in it. Make it readable: chmod u+rwx ${folder}. ` +
      'A folder in it whose name is not UTF-8 needs another name.',
  );
}

/** What protected things refer to elsewhere in the folders: links on the way with what they say, and where it ends. */
async function otherPlaces(
  things: Protected,
  roots: readonly string[],
  skipped: ReadonlySet<string>,
): Promise<{ links: Protected; ends: string[] }> {
  const traced: Awaited<ReturnType<typeof tracePath>>[] = [];
  for (const [path, link] of things) {
    const isGit = basename(path).toLowerCase() === '.git';
    const named = [...(link === undefined ? [] : [path]), ...(isGit ? gitPlaces(path) : await linksIn(path, 3))];
    traced.push(...(await Promise.all(named.map(tracePath))));
  }
  const unchangeable = new Set([
    ...skipped,
    ...[...things].filter(([, link]) => link === undefined).map(([path]) => path),
  ]);
  const isChangeable = (path: string) => roots.some((root) => isWithin(root, path)) && !isBelowAny(unchangeable, path);
  return {
    links: await linksAt(new Set(traced.flatMap(({ links }) => links.filter(isChangeable)))),
    // A link to a whole project does not make it read-only.
    ends: outermost(
      traced.map(({ end }) => end).filter((path) => isChangeable(path) && !roots.some((root) => isWithin(path, root))),
    ),
  };
}

async function linksIn(folder: string, levels: number): Promise<string[]> {
  const entries = await entriesOf(folder);
  if (entries === undefined) throw cannotLook(folder);
  const found = entries.map(async (entry) => {
    const name = textOf(entry.name);
    if (entry.isSymbolicLink()) {
      if (name === undefined) throw cannotLook(folder);
      return [join(folder, name)];
    }
    return entry.isDirectory() && name !== undefined && levels > 1 ? linksIn(join(folder, name), levels - 1) : [];
  });
  return (await Promise.all(found)).flat();
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
