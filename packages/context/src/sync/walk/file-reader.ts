import { hash } from 'node:crypto';
import { closeSync, fstatSync, readSync, type Stats } from 'node:fs';
import { MovedFileError, openReal } from '@dragoman/server/files';
import { type LeftOutCode, checkContent } from '../filter/check-content.ts';

export type FileReading =
  | { leftOut: undefined; stats: Stats; blobName: string; content: Uint8Array }
  | { leftOut: LeftOutCode; stats: Stats | undefined }
  | 'gone';

/**
 * Reads, checks and names one file after the other.
 *
 * All go through the same buffer, with the path in front of the content, so that a name is one call over one piece of
 * memory. What is read is therefore only valid until the next file.
 */
export class FileReader {
  #buffer = Buffer.allocUnsafeSlow(0x2_0000);

  /**
   * `file` is a real path: one that became a link or a pipe since it was listed, or has a link on the way to it, is neither
   * followed nor waited for. `path` is the one that is hashed. A file over the limit is not read, whatever is in it.
   */
  read(file: string, path: string, maxBytes: number): FileReading {
    let fd: number;
    try {
      ({ fd } = openReal(file));
    } catch (error) {
      return ofError(error);
    }
    try {
      return this.#readOpen(fd, path, maxBytes) ?? this.#readOpen(fd, path, maxBytes) ?? changedAgain(fd);
    } catch (error) {
      return ofError(error);
    } finally {
      closeSync(fd);
    }
  }

  /** Undefined when it was written to in the meantime. */
  #readOpen(fd: number, path: string, maxBytes: number): FileReading | undefined {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return { leftOut: 'not-a-file', stats };
    if (stats.size > maxBytes) return { leftOut: 'too-large', stats };

    const pathBytes = Buffer.byteLength(path);
    // One byte more than it should have, to see that it has not grown.
    if (this.#buffer.length < pathBytes + stats.size + 1) {
      this.#buffer = Buffer.allocUnsafeSlow((pathBytes + stats.size + 1) * 2);
    }
    this.#buffer.write(path);
    let length = 0;
    for (;;) {
      const bytes = readSync(fd, this.#buffer, pathBytes + length, stats.size + 1 - length, length);
      length += bytes;
      if (bytes === 0 || length > stats.size) break;
    }
    const after = fstatSync(fd);
    if (length !== stats.size || after.mtimeMs !== stats.mtimeMs || after.ctimeMs !== stats.ctimeMs) return undefined;

    const content = this.#buffer.subarray(pathBytes, pathBytes + length);
    const leftOut = checkContent(content, maxBytes);
    if (leftOut) return { leftOut, stats };
    return { leftOut, stats, content, blobName: hash('sha256', this.#buffer.subarray(0, pathBytes + length)) };
  }
}

function changedAgain(fd: number): FileReading {
  return { leftOut: 'changed-while-read', stats: fstatSync(fd) };
}

function ofError(error: unknown): FileReading {
  if (error instanceof MovedFileError) return { leftOut: 'not-a-file', stats: undefined };
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'gone';
    case 'ELOOP':
    case 'EMLINK':
    case 'ENXIO':
    case 'EISDIR':
      return { leftOut: 'not-a-file', stats: undefined };
    default:
      return { leftOut: 'unreadable', stats: undefined };
  }
}
