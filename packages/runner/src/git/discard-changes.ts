import { unlinkSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { inFolder } from '@dragoman/server/files';
import { explainFileError, insidePath, normalPath, printable } from '../files/inside-path.ts';
import type { Repository } from './open-repository.ts';
import type { StatusEntry } from './parse-status.ts';
import { changedEntries, readStatus } from './read-status.ts';
import { refuseFiltered } from './refuse-filtered.ts';
import { PATHS_FROM_INPUT } from './stage-files.ts';

/**
 * Undoes what is not staged: a file becomes what is staged or committed of it, and one that git does not know is deleted.
 * Only files go that are named, so nothing is lost that nobody looked at; all of them are looked at before the first one
 * is touched.
 */
export async function discardChanges(repository: Repository, given: readonly string[]): Promise<void> {
  const { folder } = repository;
  const entries = changedEntries(await readStatus(repository), given.map(normalPath));
  for (const entry of entries) refuseUnclear(entry);
  const gone = entries.filter(({ unstaged }) => unstaged === 'added' || unstaged === 'renamed');
  const places = await Promise.all(gone.map(({ path }) => placeOf(folder, path)));
  const kept = entries.flatMap(({ path, oldPath, unstaged }) => {
    if (unstaged === 'added') return [];
    return unstaged === 'renamed' ? (oldPath ?? []) : path;
  });
  for (const path of kept) await refuseFolder(folder, path);
  if (kept.length > 0) await refuseFiltered(repository, kept);

  // A file that is only announced to git is known to it in name.
  const announced = gone.filter(({ isUntracked }) => isUntracked !== true).map(({ path }) => path);
  if (announced.length > 0)
    await repository.write(['reset', '--quiet', ...PATHS_FROM_INPUT], { input: announced.join('\0') });
  if (kept.length > 0)
    await repository.write(['restore', '--worktree', ...PATHS_FROM_INPUT], { input: kept.join('\0') });
  for (const place of places) removeFile(place);
}

function refuseUnclear({ path, unstaged }: StatusEntry): void {
  if (unstaged === 'conflicted')
    throw new DragomanError('conflict', `${printable(path)} has a conflict; resolve it and stage it`);
  if (unstaged === undefined)
    throw new DragomanError('conflict', `all changes in ${printable(path)} are staged; unstage them first`);
}

/** Where a file lies that is to be deleted. The link itself goes, and not what it leads to. */
async function placeOf(folder: string, path: string): Promise<string> {
  const parent = await insidePath(folder, dirname(path));
  const place = join(parent.real, basename(path));
  const found = await lstat(place).catch((error: unknown) => {
    throw explainFileError(path, error);
  });
  if (found.isDirectory()) throw new DragomanError('bad-request', `${printable(path)} is a folder and was not deleted`);
  return place;
}

/** Git had its time in between, and a folder on the way may have become a link. */
function removeFile(place: string): void {
  try {
    inFolder(dirname(place), (folder) => unlinkSync(join(folder, basename(place))));
  } catch (error) {
    throw explainFileError(place, error);
  }
}

/** Git would delete all that is in a folder to put a file in its place. */
async function refuseFolder(folder: string, path: string): Promise<void> {
  const found = await lstat(join(folder, path)).catch(() => undefined);
  if (found?.isDirectory() === true)
    throw new DragomanError('conflict', `${printable(path)} is now a folder and was not deleted; move it away first`);
}
