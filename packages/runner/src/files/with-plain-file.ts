import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import { DragomanError } from '@dragoman/protocol';
import { openReal } from '@dragoman/server/files';
import { explainFileError, printable } from './inside-path.ts';

const readPiece = promisify(read);

/** A file that is open. */
export interface PlainFile {
  size: number;
  /** Another one where the file was changed. */
  version: string;
  /** Up to `most` bytes from a place on; fewer where it ends. */
  read(from: number, most: number): Promise<Buffer>;
}

/**
 * Opens the plain file at a real path for as long as `work` takes. A link or a pipe that came in its place is not read.
 * Rejects in words, with the path as it was `shown`.
 */
export async function withPlainFile<Result>(
  real: string,
  shown: string,
  work: (file: PlainFile) => Promise<Result>,
): Promise<Result> {
  let file: number | undefined;
  try {
    const { fd, stats } = openReal(real);
    file = fd;
    if (stats.isDirectory()) throw new DragomanError('bad-request', `${printable(shown)} is a folder`);
    if (!stats.isFile())
      throw new DragomanError(
        'bad-request',
        `${printable(shown)} is not a plain file but a pipe, a socket or a device, and is not read`,
      );
    const version = `${stats.ino}-${stats.size}-${stats.mtimeMs}`;
    return await work({ size: stats.size, version, read: (from, most) => readPart(fd, from, most) });
  } catch (error) {
    throw explainFileError(shown, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

async function readPart(fd: number, from: number, most: number): Promise<Buffer> {
  const room = Buffer.allocUnsafe(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await readPiece(fd, room, length, most - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return room.subarray(0, length);
}
