import { DragomanError } from '@dragoman/protocol';
import { type DataFolder, isFullDisk } from '@dragoman/server';

/** A start that failed because the disk is full, as a sentence that says so, whichever write was the first to fail. */
export function explainFullDisk(error: unknown, { path }: DataFolder): unknown {
  if (!isFullDisk(error)) return error;
  return new DragomanError(
    'data-folder',
    `The disk of the data folder ${path} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`,
    { cause: error },
  );
}
