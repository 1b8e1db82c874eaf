import { realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { DEFAULT_MAX_BLOB_BYTES, type LeftOutCode, formatLeftOut } from '../filter/check-content.ts';
import { FileReader } from './file-reader.ts';

export type ReadBlobResult =
  | { leftOut: undefined; blobName: string; content: string; size: number; mtimeMs: number }
  | { leftOut: LeftOutCode | 'gone'; reason: string };

const reader = new FileReader();

/**
 * A file's name and content as they are now, with the same checks of the content as in a scan; the rules for paths are not
 * asked again. `path` is relative to `root`, with `/`. What is reached through a link is not a file of this folder.
 */
export function readBlob(root: string, path: string, limits: { maxBytes?: number } = {}): ReadBlobResult {
  if (!isBelow(path)) return leftOut('not-a-file');
  const real = realRoot(root);
  const maxBytes = limits.maxBytes ?? DEFAULT_MAX_BLOB_BYTES;
  const reading = real === undefined ? 'gone' : reader.read(join(real, path), path, maxBytes);
  if (reading === 'gone') return { leftOut: 'gone', reason: 'No such file' };
  if (reading.leftOut) return leftOut(reading.leftOut);
  const { blobName, stats } = reading;
  const content = Buffer.from(reading.content.buffer, reading.content.byteOffset, reading.content.byteLength);
  return { leftOut: undefined, blobName, content: content.toString(), size: stats.size, mtimeMs: stats.mtimeMs };
}

function leftOut(code: LeftOutCode): ReadBlobResult {
  return { leftOut: code, reason: formatLeftOut(code) };
}

function isBelow(path: string): boolean {
  return !(path === '' || posix.isAbsolute(path) || posix.normalize(path) !== path || path.split('/')[0] === '..');
}

function realRoot(root: string): string | undefined {
  try {
    return realpathSync.native(root);
  } catch {
    return undefined;
  }
}
