import { closeSync, read } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DragomanError, type FileContent } from '@dragoman/protocol';
import { isSecretFile } from '@dragoman/protocol/secrets';
import { openReal } from '@dragoman/server/files';
import { explainFileError, insidePath, printable } from './inside-path.ts';

const readPiece = promisify(read);

/** More is not sent to a screen. */
export const MOST_BYTES = 1024 * 1024;

/** A file of a session's folder: all of it, or its beginning. Files that hold secrets stay on the machine. */
export async function readSessionFile(root: string, path: string): Promise<FileContent> {
  const inside = await insidePath(root, path);
  for (const name of [inside.path, inside.realPath]) refuseSecret(root, name);
  const { bytes, size, isCut } = await readBeginning(inside.real, path);
  const text = toText(bytes, isCut);
  return { path: inside.path, size, ...(text !== undefined && { text }), isCut: isCut && text !== undefined };
}

/** Refuses a file that is made to hold secrets; the folder of the session may itself be one for keys. */
export function refuseSecret(root: string, path: string): void {
  if (!isSecretFile(join(root, path))) return;
  throw new DragomanError(
    'forbidden',
    `${printable(path)} is a file that is made to hold secrets, so it is not shown; open it on the machine itself`,
  );
}

/** The beginning of the plain file at a real path; a link or a pipe that came in its place is not read. */
export async function readBeginning(
  real: string,
  shown: string,
): Promise<{ bytes: Buffer; size: number; isCut: boolean }> {
  let file: number | undefined;
  try {
    const { fd, stats: stat } = openReal(real);
    file = fd;
    if (stat.isDirectory()) throw new DragomanError('bad-request', `${printable(shown)} is a folder`);
    if (!stat.isFile())
      throw new DragomanError(
        'bad-request',
        `${printable(shown)} is not a plain file but a pipe, a socket or a device, and is not read`,
      );
    // One byte more tells whether there is more, also of files whose size is told as zero.
    const room = Buffer.allocUnsafe(MOST_BYTES + 1);
    let length = 0;
    while (length < room.length) {
      const { bytesRead } = await readPiece(fd, room, length, room.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const bytes = Buffer.from(room.subarray(0, Math.min(length, MOST_BYTES)));
    return { bytes, size: Math.max(stat.size, bytes.length), isCut: length > MOST_BYTES };
  } catch (error) {
    throw explainFileError(shown, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The text in bytes, or nothing where they are none: by git's rule, which is a NUL among them. */
export function toText(bytes: Buffer, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  // A character that is cut in two at the end is left out; signs of other encodings are shown as unknown.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: isCut });
}
