import { DragomanError } from '@dragoman/protocol/error';
import { diskFullError, isFullDisk } from '@dragoman/server/base';

/** Does something with the store; what the database says when it cannot, such as that the disk is full, is told in a sentence. */
export async function tellStoreFailure<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFullDisk(error)) throw diskFullError(error);
    if (error instanceof DragomanError || !(error instanceof Error)) throw error;
    throw new DragomanError('unavailable', `${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** What went wrong, in words for a person. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
