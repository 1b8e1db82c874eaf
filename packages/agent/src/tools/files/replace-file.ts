import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inFolder, makeFolder } from '@dragoman/server/files';

/** A folder that takes no new file, or a file that is a mount of its own, can only be written in place. */
const IN_PLACE_CODES = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV']);

/**
 * Puts a file's new content in place, whole or not at all: a reader sees the old file or the new one, and a crash leaves
 * one of them. Permission bits stay, missing folders are made. `path` is a real path, so that a symlink stays one.
 * Gives back the first folder that it made.
 */
export function replaceFile(path: string, bytes: Uint8Array, previous?: Stats): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  const made = makeFolder(folder);
  inFolder(folder, (place) => replaceIn(place, name, bytes, previous));
  return made;
}

function replaceIn(folder: string, name: string, bytes: Uint8Array, previous: Stats | undefined): void {
  const path = join(folder, name);
  // A rename would go around the protection of a file that may only be read.
  if (previous !== undefined) accessSync(path, constants.W_OK);
  const draft = join(folder, `.${name.slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    writeFileSync(draft, bytes, { flag: 'wx', mode: previous === undefined ? 0o666 : 0o600 });
    if (previous !== undefined) takeOver(draft, previous);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    if (previous === undefined || !IN_PLACE_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    writeInPlace(path, bytes);
  }
}

/** A link that came in its place is not written through. */
function writeInPlace(path: string, bytes: Uint8Array): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0));
  try {
    writeFileSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

function takeOver(draft: string, previous: Stats): void {
  const { uid, gid } = statSync(draft);
  if (uid !== previous.uid || gid !== previous.gid) chownSync(draft, previous.uid, previous.gid);
  chmodSync(draft, previous.mode & 0o7777);
}
