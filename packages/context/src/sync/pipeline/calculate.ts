import { join } from 'node:path';
import type { LeftOutCode } from '../filter/check-content.ts';
import { readBlob } from '../walk/read-blob.ts';
import type { Clock } from './clock.ts';
import type { FileMetrics } from './file-metrics.ts';
import { lookAt } from './look-at.ts';
import type { PathMap } from './path-map.ts';

/** A blob on its way through the pipeline. */
export interface BlobInfo {
  folderId: number;
  relPath: string;
  blobName: string;
  mtime: number;
  /** When it was given in, or last taken by the server: how long it has been waited for is counted from here. */
  startTime: number;
}

type Calculated =
  | { outcome: 'to-probe'; info: BlobInfo }
  /** Nothing changed since the server confirmed it. */
  | { outcome: 'known' }
  | { outcome: 'left-out'; code: LeftOutCode | 'gone' };

interface CalculateParts {
  root: string;
  pathMap: PathMap;
  maxBytes: number;
  metrics: FileMetrics;
  clock: Clock;
}

/** How old a write must be before it is trusted that no later one looks the same. */
const SETTLE_MS = 2_000;

/**
 * The first stage: the name of a file's blob, from the path map where the file looks as it did, and else from its content.
 *
 * The `stat` comes before the reading: a write in between makes the times differ, and is found the next time.
 */
export function calculate(folderId: number, relPath: string, parts: CalculateParts): Calculated {
  const { pathMap, metrics, clock } = parts;
  const start = performance.now();
  const stats = lookAt(join(parts.root, relPath));
  metrics.time('stat', start);
  if (stats === undefined || !stats.isFile()) {
    pathMap.delete(folderId, relPath);
    return { outcome: 'left-out', code: stats === undefined ? 'unreadable' : 'not-a-file' };
  }

  const { size, mtimeMs, ctimeMs, ino: inode } = stats;
  const info = (blobName: string): Calculated => ({
    outcome: 'to-probe',
    info: { folderId, relPath, blobName, mtime: mtimeMs, startTime: clock.now() },
  });
  const cached = pathMap.getBlobInfo(folderId, relPath, { size, mtimeMs, ctimeMs, inode });
  metrics.count(cached === undefined ? 'mtime cache misses' : 'mtime cache hits');
  if (cached?.blobName !== undefined) return cached.status > 0 ? { outcome: 'known' } : info(cached.blobName);
  if (cached?.leftOut !== undefined) return { outcome: 'left-out', code: cached.leftOut };

  const readStart = performance.now();
  const read = readBlob(parts.root, relPath, { maxBytes: parts.maxBytes });
  metrics.time('read', readStart);
  metrics.count('files read');
  if (read.leftOut === 'gone') {
    pathMap.delete(folderId, relPath);
    return { outcome: 'left-out', code: 'gone' };
  }
  const isSettled = clock.now() - Math.max(mtimeMs, ctimeMs) >= SETTLE_MS;
  const blobName = read.leftOut === undefined ? read.blobName : undefined;
  pathMap.set(folderId, relPath, { size, mtimeMs, ctimeMs, inode, isSettled, blobName, leftOut: read.leftOut });
  return blobName === undefined ? { outcome: 'left-out', code: read.leftOut! } : info(blobName);
}
