import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { PermissionSubject } from '@dragoman/protocol';
import { type Tool, ToolError } from '../tool.ts';

/** Where a call stands: all that is needed to understand a path. */
export type Place = Pick<Tool.Context, 'cwd' | 'root'>;

/** A path that the model named, and where it really leads. */
export interface ResolvedPath {
  /** As it was named, made absolute. */
  named: string;
  /** With all symlinks followed, also where the file itself does not exist yet. */
  real: string;
  /** For the model, which names paths from the working folder: relative to it, or absolute. */
  shown: string;
  /** For people and records: relative to the project, or absolute when it really is outside. */
  title: string;
}

const MAX_LINKS = 40;

/**
 * What a path of a tool call means.
 *
 * Permissions judge by the real path: a symlink that leads out of the project leads out of what the project may do. A file
 * that is still to be written is where its nearest existing parent really is, and a dangling link is where it points.
 */
export function resolvePath(place: Place, path: string): ResolvedPath {
  if (path.trim() === '' || path.includes('\0')) throw new ToolError(`"${path}" is not a path.`);
  const isHome = path === '~' || path.startsWith('~/');
  const named = resolve(place.cwd, isHome ? join(homedir(), path.slice(1)) : path);
  const real = realPath(named, path, 0);
  return {
    named,
    real,
    shown: pathBelow(place.cwd, named) ?? named,
    title: pathBelow(realRoot(place.root), real) ?? real,
  };
}

/**
 * What the permissions are asked about: the file that is really touched, and the name it was called by where that differs.
 * A rule about either holds, so a denied name is not reached through a link and a link does not reach what is denied.
 */
export function pathSubjects(place: Place, path: ResolvedPath): PermissionSubject[] {
  const named = pathBelow(place.root, path.named);
  const values = new Set([path.title]);
  if (named !== undefined) values.add(named);
  return [...values].map((value) => ({ kind: 'path', value }));
}

/** The part of `path` after `folder`, with `/` between its parts; `.` for the folder itself; nothing when it is elsewhere. */
export function pathBelow(folder: string, path: string): string | undefined {
  if (path === folder) return '.';
  const start = folder.endsWith(sep) ? folder : folder + sep;
  if (!path.startsWith(start)) return undefined;
  const below = path.slice(start.length);
  return sep === '/' ? below : below.replaceAll(sep, '/');
}

/** Whether a resolved file is in one of these folders. Folders that do not exist hold nothing. */
export function isInFolders(real: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => pathBelow(folder, real) !== undefined || pathBelow(realRoot(folder), real) !== undefined,
  );
}

function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch {
    return root;
  }
}

function realPath(path: string, asked: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP' || links > MAX_LINKS)
      throw new ToolError(`${asked} goes round in symlinks that never end.`, { cause: error });
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(realPath(parent, asked, links), basename(path));
  const target = linkTarget(here);
  if (target === undefined || isNameless(here)) return here;
  return realPath(isAbsolute(target) ? target : resolve(dirname(here), target), asked, links + 1);
}

/** Whether a link leads to something that is there and has no path: a socket or a deleted file that a process holds open. */
function isNameless(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
