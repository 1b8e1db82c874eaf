import { DragomanError } from '@dragoman/protocol';

/** Does something with the store; what the database says when it cannot, such as that the disk is full, is told in a sentence. */
export async function tellStoreFailure<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DragomanError || !(error instanceof Error)) throw error;
    throw new DragomanError('unavailable', `${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** What went wrong, in words for a person. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  // SQLite has taken the transaction back by itself, which it does when it cannot write; the reason was lost on the way.
  return reason.startsWith('cannot rollback')
    ? 'the database cannot be written, perhaps because the disk is full'
    : reason;
}
