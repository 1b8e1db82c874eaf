import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { inFolder } from '@dragoman/server/files';

/** Something that a command made or replaced where it must not, and the name it has now. */
export interface HeldBack {
  path: string;
  /** Undefined where it could not be renamed. */
  renamedTo: string | undefined;
}

/**
 * Takes its name from what is at a path. It is done in the very folder of that path, as all that is done here: a command may
 * have put a link in the place of a folder, and what that leads to is not ours to change.
 */
export function holdBack(path: string): HeldBack {
  const name = within(dirname(path), (place) => renameAside(place, Buffer.from(basename(path)), basename(path)));
  return { path, renamedTo: name === undefined ? undefined : join(dirname(path), name) };
}

/** Gives a folder a name that is text; gives that back. */
export function nameAsText(folder: string, bytes: Buffer): string | undefined {
  return within(folder, (place) => renameAside(place, bytes, bytes.toString('utf8')));
}

/** Puts a symbolic link back that is gone. */
export function putLinkBack(path: string, link: string): void {
  within(dirname(path), (place) => symlinkSync(Buffer.from(link, 'latin1'), join(place, basename(path))));
}

/** What of a path that led to nothing has appeared since: its end, or a link on the way there. */
export function appearedOn(root: string, path: string): string | undefined {
  let at = root;
  for (const name of relative(root, path).split(sep)) {
    const folder = at;
    const stats = within(folder, (place) => lstatSync(join(place, name), { throwIfNoEntry: false }));
    if (stats === undefined) return undefined;
    at = join(folder, name);
    if (stats.isSymbolicLink()) return at;
  }
  return at;
}

/** Makes a folder readable again from which a command has taken the rights of its owner; says whether that worked. */
export function giveRights(folder: string): boolean {
  try {
    const fd = openSync(folder, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
    try {
      const place = `/proc/self/fd/${fd}`;
      if (readlinkSync(place) !== folder) return false;
      chmodSync(place, (fstatSync(fd).mode & 0o7777) | 0o700);
      return true;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

/** Opens a file that may not be read, to know that it is the same one later. Node does not name it. */
const O_PATH = 0o10000000;
/** A name may have 255 bytes. */
const LONGEST_STEM = 200;

/** Does something in a folder; nothing where that cannot be done. */
function within<Result>(folder: string, work: (place: string) => Result): Result | undefined {
  try {
    return inFolder(folder, work);
  } catch (error) {
    if (!isForbidden(error) || !giveRights(folder)) return undefined;
  }
  try {
    return inFolder(folder, work);
  } catch {
    return undefined;
  }
}

function renameAside(place: string, name: Buffer, text: string): string | undefined {
  const stem = Buffer.byteLength(text) > LONGEST_STEM ? 'folder' : text;
  for (let number = 1; number < 1000; number++) {
    const free = `${stem}.held-back${number === 1 ? '' : `-${number}`}`;
    if (lstatSync(join(place, free), { throwIfNoEntry: false }) !== undefined) continue;
    renameSync(Buffer.concat([Buffer.from(`${place}${sep}`), name]), join(place, free));
    return free;
  }
  return undefined;
}

function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}
