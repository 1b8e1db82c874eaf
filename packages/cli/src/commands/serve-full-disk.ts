import { DragomanError } from '@dragoman/protocol';
import type { DataFolder } from '@dragoman/server';

/** SQLite's number for a disk without room. */
const SQLITE_FULL = 13;

/** A start that failed because the disk is full, as a sentence that says so, whichever write was the first to fail. */
export function explainFullDisk(error: unknown, { path }: DataFolder): unknown {
  if (!isFullDisk(error)) return error;
  return new DragomanError(
    'data-folder',
    `The disk of the data folder ${path} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`,
    { cause: error },
  );
}

function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return code === 'ENOSPC' || errcode === SQLITE_FULL || isFullDisk(error.cause);
}
