import { printable } from '../files/inside-path.ts';
import { DragomanError } from '@dragoman/protocol';
import type { Repository } from './open-repository.ts';
import { parseStatus, type Status, type StatusEntry } from './parse-status.ts';

/** What git says of the folder, with paths from there. */
export interface FolderStatus extends Status {
  /** There is more than git was let to print. */
  isCut: boolean;
}

const MOST_BYTES = 16 * 1024 * 1024;

/** Asks git what has changed in the folder. What happens inside of submodules and other repositories is theirs. */
export async function readStatus({ read, prefix }: Repository): Promise<FolderStatus> {
  const { stdout, isCut } = await read(
    [
      'status',
      '--porcelain=v2',
      '--branch',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '--find-renames',
      '--',
      '.',
    ],
    { maxBytes: MOST_BYTES },
  );
  const whole = isCut ? stdout.subarray(0, stdout.lastIndexOf(0)) : stdout;
  const status = parseStatus(whole.toString('utf8'));
  const entries = status.entries.flatMap((entry) => below(entry, prefix) ?? []);
  return { ...status, entries, isCut };
}

/** The entries with these paths. Rejects with the first path that has not changed. */
export function changedEntries({ entries }: Status, paths: readonly string[]): StatusEntry[] {
  const known = new Map(entries.map((entry) => [entry.path, entry]));
  return paths.map((path) => {
    const entry = known.get(path);
    if (entry !== undefined) return entry;
    const isFolder = entries.some((other) => other.path.startsWith(`${path}/`));
    throw new DragomanError(
      isFolder ? 'bad-request' : 'not-found',
      isFolder
        ? `${printable(path)} is a folder; name the files that are meant`
        : `${printable(path)} has no changes; they may have been committed or discarded`,
    );
  });
}

function below(entry: StatusEntry, prefix: string): StatusEntry | undefined {
  // With a slash at its end it is another repository.
  if (!entry.path.startsWith(prefix) || entry.path.endsWith('/')) return undefined;
  const { oldPath, ...rest } = entry;
  return {
    ...rest,
    path: entry.path.slice(prefix.length),
    ...(oldPath?.startsWith(prefix) === true && { oldPath: oldPath.slice(prefix.length) }),
  };
}
