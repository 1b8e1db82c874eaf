import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { inFolder, makeFolder } from '@dragoman/server/files';
import type { TreeEntry } from './read-tree.ts';

const EXECUTABLE = 0o100;

/**
 * Makes a file of the project what it is in a state, all at once. One that is so already is not touched.
 *
 * Everything is done in the very folders that were looked at: a program at work in the project may put links in their place.
 *
 * @throws with the reason, for people, when something else stands in its place or on the way to it.
 */
export async function putFile(root: string, path: string, kind: TreeEntry['kind'], content: Buffer): Promise<void> {
  await checkFolders(root, path);
  const folder = join(await realpath(root), dirname(path));
  const name = basename(path);
  makeFolder(folder);
  const isDone = inFolder(folder, (place) => {
    const present = lstatSync(join(place, name), { throwIfNoEntry: false });
    return present !== undefined && isSame(join(place, name), present, kind, content);
  });
  if (isDone) return;
  removeEmptyFolders(join(folder, name));
  inFolder(folder, (place) => {
    const target = join(place, name);
    const temporary = join(place, `.dragoman-${randomUUID()}`);
    try {
      if (kind === 'link') symlinkSync(content, temporary);
      else writeNew(temporary, content, kind === 'program', lstatSync(target, { throwIfNoEntry: false }));
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** Deletes a file of the project, and the folders that are empty without it. A folder of that name stays. */
export async function removeFile(root: string, path: string): Promise<void> {
  // Where a link or a file is on the way to it, there is no such file.
  if (!(await hasFolders(root, path)) || (await lstatOrNothing(join(root, dirname(path)))) === undefined) return;
  const real = await realpath(root);
  const isGone = inFolder(join(real, dirname(path)), (place) => {
    const present = lstatSync(join(place, basename(path)), { throwIfNoEntry: false });
    if (present === undefined || present.isDirectory()) return false;
    unlinkSync(join(place, basename(path)));
    return true;
  });
  for (let folder = dirname(path); isGone && folder !== '.'; folder = dirname(folder)) {
    try {
      inFolder(join(real, dirname(folder)), (place) => rmdirSync(join(place, basename(folder))));
    } catch {
      return;
    }
  }
}

/** The way to a file leads through real folders only; through a link it would be another file, or outside. */
async function checkFolders(root: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count++) {
    const folder = parts.slice(0, count).join('/');
    const found = await lstatOrNothing(join(root, folder));
    if (found === undefined) return;
    if (found.isSymbolicLink()) throw new Error(`${folder} is a symbolic link, which is not followed`);
    if (!found.isDirectory()) throw new Error(`${folder} is a file, not a folder`);
  }
}

/** Whether all folders on the way to a file are there, or could be. */
export async function hasFolders(root: string, path: string): Promise<boolean> {
  return checkFolders(root, path).then(
    () => true,
    () => false,
  );
}

/** What is there, without following a link; undefined when nothing is. */
export async function lstatOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function isSame(path: string, present: Stats, kind: TreeEntry['kind'], content: Buffer): boolean {
  if (present.isSymbolicLink()) return kind === 'link' && content.equals(readlinkSync(path, 'buffer'));
  if (!present.isFile() || kind === 'link' || present.size !== content.length) return false;
  const isExecutable = (present.mode & EXECUTABLE) !== 0;
  return isExecutable === (kind === 'program') && content.equals(readFileSync(path));
}

function writeNew(path: string, content: Buffer, isProgram: boolean, present: Stats | undefined): void {
  writeFileSync(path, content, { flag: 'wx', mode: isProgram ? 0o777 : 0o666 });
  if (present?.isFile() !== true) return;
  // Who may read stays as it is; who may read may also run a program.
  const readable = present.mode & 0o666;
  chmodSync(path, isProgram ? readable | ((readable & 0o444) >> 2) : readable);
}

/** Git knows no folders, so those without a file in them may go. */
function removeEmptyFolders(real: string): void {
  if (lstatSync(real, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const entry of inFolder(real, (place) => readdirSync(place, { withFileTypes: true }))) {
    if (!entry.isDirectory()) throw new Error(`a folder with other files is in its place`);
    removeEmptyFolders(join(real, entry.name));
  }
  inFolder(dirname(real), (place) => rmdirSync(join(place, basename(real))));
}
