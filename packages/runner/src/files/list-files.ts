import type { Dirent } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileEntries } from '@dragoman/protocol';
import { MovedFileError } from '@dragoman/server/files';
import { explainFileError, insidePath, isGitFolder } from './inside-path.ts';

type Entry = FileEntries['entries'][number];

/** What a person can still look through. */
const MOST_ENTRIES = 2_000;
/** In a folder with more than this, the first ones that the disk gives are sorted. */
const MOST_LOOKED_AT = 200_000;
const AT_ONCE = 64;

const { compare } = new Intl.Collator('en', { numeric: true });

/**
 * What is in a folder of a session: folders first, then files, each by name. Left out are what git keeps for itself, links
 * that lead out or nowhere, and what is neither a file nor a folder.
 */
export async function listFiles(root: string, path: string): Promise<FileEntries> {
  const inside = await insidePath(root, path);
  const found: Dirent[] = [];
  let isCut = false;
  try {
    for await (const entry of await opendir(inside.real, { bufferSize: 1_000 })) {
      if (found.length === MOST_LOOKED_AT) isCut = true;
      if (isCut) break;
      if (!isGitFolder(entry.name) && (entry.isDirectory() || entry.isFile() || entry.isSymbolicLink()))
        found.push(entry);
    }
    // What was listed is what was looked at: a folder above may have become a link in between.
    if ((await insidePath(root, path)).real !== inside.real) throw new MovedFileError(inside.path);
  } catch (error) {
    throw explainFileError(inside.path === '' ? 'the folder of the session' : inside.path, error);
  }
  found.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || compare(a.name, b.name));
  if (found.length > MOST_ENTRIES) isCut = true;

  const entries: Entry[] = [];
  for (let at = 0; at < Math.min(found.length, MOST_ENTRIES); at += AT_ONCE) {
    const slice = found.slice(at, Math.min(at + AT_ONCE, MOST_ENTRIES));
    const described = await Promise.all(
      slice.map((entry) => describe({ root, folder: inside.path, real: inside.real, entry })),
    );
    entries.push(...described.filter((entry) => entry !== undefined));
  }
  // A link to a folder is a folder, which shows only now.
  entries.sort((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder'));
  return { path: inside.path, entries, isCut };
}

async function describe(given: {
  root: string;
  folder: string;
  real: string;
  entry: Dirent;
}): Promise<Entry | undefined> {
  const { root, folder, real, entry } = given;
  const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isDirectory()) return { name: entry.name, path, kind: 'folder' };
  if (entry.isFile()) {
    const size = await lstat(join(real, entry.name)).then(
      (found) => found.size,
      () => undefined, // Its name is not UTF-8, or it is gone by now.
    );
    return { name: entry.name, path, kind: 'file', ...(size !== undefined && { size }) };
  }
  try {
    const target = await stat((await insidePath(root, path)).real);
    if (target.isDirectory()) return { name: entry.name, path, kind: 'folder' };
    return target.isFile() ? { name: entry.name, path, kind: 'file', size: target.size } : undefined;
  } catch {
    return undefined;
  }
}
