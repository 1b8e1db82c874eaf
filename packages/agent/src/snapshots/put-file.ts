import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TreeEntry } from './read-tree.ts';

const EXECUTABLE = 0o100;

/**
 * Makes a file of the project what it is in a state, all at once. One that is so already is not touched.
 *
 * @throws with the reason, for people, when something else stands in its place or on the way to it.
 */
export async function putFile(root: string, path: string, kind: TreeEntry['kind'], content: Buffer): Promise<void> {
  const target = join(root, path);
  await checkFolders(root, path);
  let present = await lstatOrNothing(target);
  if (present !== undefined && (await isSame(target, present, kind, content))) return;
  if (present?.isDirectory() === true) {
    await removeEmptyFolders(target);
    present = undefined;
  }

  await mkdir(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.dragoman-${randomUUID()}`);
  try {
    if (kind === 'link') await symlink(content, temporary);
    else await writeNew(temporary, content, kind === 'program', present);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Deletes a file of the project, and the folders that are empty without it. A folder of that name stays. */
export async function removeFile(root: string, path: string): Promise<void> {
  // Where a link or a file is on the way to it, there is no such file.
  if (!(await hasFolders(root, path))) return;
  const present = await lstatOrNothing(join(root, path));
  if (present === undefined || present.isDirectory()) return;
  await unlink(join(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      await rmdir(join(root, folder));
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

async function isSame(path: string, present: Stats, kind: TreeEntry['kind'], content: Buffer): Promise<boolean> {
  if (present.isSymbolicLink()) return kind === 'link' && content.equals(await readlink(path, 'buffer'));
  if (!present.isFile() || kind === 'link' || present.size !== content.length) return false;
  const isExecutable = (present.mode & EXECUTABLE) !== 0;
  return isExecutable === (kind === 'program') && content.equals(await readFile(path));
}

async function writeNew(path: string, content: Buffer, isProgram: boolean, present?: Stats): Promise<void> {
  const file = await open(path, 'wx', isProgram ? 0o777 : 0o666);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  if (present?.isFile() !== true) return;
  // Who may read stays as it is; who may read may also run a program.
  const readable = present.mode & 0o666;
  await chmod(path, isProgram ? readable | ((readable & 0o444) >> 2) : readable);
}

/** Git knows no folders, so those without a file in them may go. */
async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) throw new Error(`a folder with other files is in its place`);
    await removeEmptyFolders(join(folder, entry.name));
  }
  await rmdir(folder);
}
