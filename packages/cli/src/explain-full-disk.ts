import { DragomanError } from '@dragoman/protocol';
import { type DataFolder, isFullDisk } from '@dragoman/server/base';

/** A start that failed because the disk is full, as a sentence that says so, whichever write was the first to fail. */
export function explainFullDisk(error: unknown, folder: DataFolder): unknown {
  return isFullDisk(error) ? fullDataFolder(folder, error) : error;
}

/** What is told where nothing can be started because the disk of the data folder is full. */
export function fullDataFolder({ path }: DataFolder, cause?: unknown): DragomanError {
  return new DragomanError(
    'data-folder',
    `The disk of the data folder ${path} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`,
    { cause },
  );
}
