import { isUtf8 } from 'node:buffer';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { readProjectFile } from '../files/read-project-file.ts';

/** Where git keeps a repository, as paths without links. */
export interface GitFolders {
  /** `.git`, or what a work tree and a submodule have in its place. */
  gitFolder: string;
  /** Where the objects, branches and settings are; a work tree has them in common with others. */
  commonFolder: string;
}

/** The files that are read here hold a path. */
const MAX_BYTES = 64 * 1024;

/** The folder with a `.git` in it, at a folder or above it. Whether git can use that `.git` is not looked at. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isSeen(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function isSeen(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // It lies in a folder that may not be entered, where git sees nothing, either.
  }
}

/**
 * The folders that the `.git` of a folder stands for, read as git reads it (`gitrepository-layout`): what it says is a path
 * to the last blank, and `..` in it means the folder above the one that a link leads to. Throws where they cannot be told.
 */
export function gitFolders(root: string): GitFolders {
  const place = join(root, '.git');
  const gitFolder = realpathSync.native(
    statSync(place).isDirectory() ? place : from(root, readPath(place, 'gitdir: ') ?? ''),
  );
  const shared = readPath(join(gitFolder, 'commondir'));
  return { gitFolder, commonFolder: shared === undefined ? gitFolder : realpathSync.native(from(gitFolder, shared)) };
}

/** The path that a file of git holds; nothing where there is no such file. */
export function readPath(file: string, start = ''): string | undefined {
  const bytes = readProjectFile(file, { project: dirname(file), maxBytes: MAX_BYTES })?.bytes;
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  if (!isUtf8(bytes) || !text.startsWith(start)) throw new Error(`${file} does not hold a path`);
  return text.slice(start.length).replace(/[\r\n]+$/, '');
}

/** Not `resolve`: that leaves out `link/..`, wherever the link leads. */
export function from(folder: string, path: string): string {
  return isAbsolute(path) ? path : `${folder}/${path}`;
}

/** Whether a path is a folder or leads into it, by its name. */
export function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
