import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { protectedAmong } from './protected-names.ts';

/** Protected things by their path. Of a symbolic link, what it says: its bytes, one per character. */
export type Protected = Map<string, string | undefined>;

/** What there is to protect in folders, and where nobody knows. */
export interface Found {
  things: Protected;
  /** Folders that could not be looked into. */
  closed: Set<string>;
}

/** What is tried with folders that cannot be looked into. */
export interface Opener {
  /** Makes a folder readable; says whether that worked. */
  open(folder: string): boolean;
  /** Gives a folder a name that is text; gives that back. */
  name(folder: string, bytes: Buffer): string | undefined;
}

const NOTHING_TO_OPEN: Opener = { open: () => false, name: () => undefined };
/** Below it there is room for one more name: the system takes 4095 bytes. */
const LONGEST_PATH = 3800;

/**
 * Finds what is protected in folders, at any depth but for `skipped`.
 *
 * A folder that cannot be listed is told rather than passed over: what is in it can be reached by whoever knows its name. So is
 * one with a folder in it whose name is no text, which no mount can be given.
 */
export async function findProtected(
  roots: readonly string[],
  skipped: ReadonlySet<string>,
  opener: Opener = NOTHING_TO_OPEN,
): Promise<Found> {
  const things: Protected = new Map();
  const closed = new Set<string>();
  const look = async (folder: string): Promise<void> => {
    if (skipped.has(folder)) return;
    const entries = await entriesOf(folder, opener);
    if (entries === undefined) return void closed.add(folder);
    const named = entries.flatMap((entry) => {
      const name = textOf(entry.name) ?? (entry.isDirectory() ? opener.name(folder, entry.name) : '');
      if (name === undefined) closed.add(folder);
      return name === undefined || name === '' ? [] : [{ name, entry }];
    });
    const protectedNames = new Set(protectedAmong(named.map(({ name }) => name)));
    await Promise.all(
      named.map(async ({ name, entry }) => {
        const path = join(folder, name);
        if (!protectedNames.has(name)) return entry.isDirectory() ? look(path) : undefined;
        if (!skipped.has(path)) things.set(path, entry.isSymbolicLink() ? ((await linkAt(path)) ?? '') : undefined);
      }),
    );
  };
  await Promise.all(roots.map(look));
  return { things, closed };
}

/** What there is at paths, if anything, told as in `Protected`. */
export async function linksAt(paths: Iterable<string>): Promise<Protected> {
  const states = await Promise.all(
    [...paths].map(async (path): Promise<[string, string | undefined][]> => {
      const link = await linkAt(path);
      return link === undefined && !(await exists(path)) ? [] : [[path, link]];
    }),
  );
  return new Map(states.flat());
}

/** What a symbolic link says; nothing where there is none. */
function linkAt(path: string): Promise<string | undefined> {
  return readlink(path, 'latin1').catch(() => undefined);
}

/** Whether there is something at a path, if only a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** What is in a folder; nothing where that cannot be said. */
export async function entriesOf(
  folder: string,
  { open }: Pick<Opener, 'open'> = NOTHING_TO_OPEN,
): Promise<Dirent<Buffer>[] | undefined> {
  if (Buffer.byteLength(folder) > LONGEST_PATH) return undefined;
  const list = () => readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  try {
    return await list().catch((error: unknown) => {
      if (isAbsent(error)) return []; // It went away meanwhile.
      if (!open(folder)) throw error;
      return list();
    });
  } catch {
    return undefined;
  }
}

/** A name as text, where it is one. */
export function textOf(name: Buffer): string | undefined {
  const text = name.toString('utf8');
  return Buffer.from(text).equals(name) ? text : undefined;
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
