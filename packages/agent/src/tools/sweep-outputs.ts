import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const KEPT_MS = 7 * 86_400_000;
const MOST_BYTES = 512 * 1024 * 1024;

/** Deletes outputs that were too long to be shown: after a week, and the oldest when there is too much of them. */
export function sweepOutputs(folder: string, now: number, mostBytes = MOST_BYTES): void {
  let bytes = 0;
  const newestFirst = namesIn(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now, bytes: bytesOf(path) }))
    .toSorted((one, other) => other.at - one.at);
  for (const entry of newestFirst) {
    bytes += entry.bytes;
    if (now - entry.at > KEPT_MS || bytes > mostBytes) rmSync(entry.path, { recursive: true, force: true });
  }
}

function bytesOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return stats?.size ?? 0;
  return namesIn(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Nothing was too long yet.
  }
}
