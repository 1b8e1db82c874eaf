import { DragomanError } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';

/** What failed although the store works is tried so often before somebody is told. */
const MAX_TIMES = 3;
/** Of so many failures it is remembered how often they happened. */
const MAX_REMEMBERED = 1000;

/**
 * Whether what could not be heard should be told again.
 *
 * A platform forgets what was acknowledged. So while the store takes nothing, nothing is acknowledged, for as long as that
 * lasts; and what failed for a reason that may pass is tried a few times before its sender is told that it did not work.
 */
export class ComeAgain {
  readonly #times = new Map<string, number>();

  /** Rejects where it should be told again. */
  async check(where: Where, heardId: string, error: unknown): Promise<void> {
    const cause = await causeOf(where, error);
    if (cause.isRetryable) throw cause;
    const times = (this.#times.get(heardId) ?? 0) + 1;
    this.#times.delete(heardId);
    if (isMistake(error) || times >= MAX_TIMES) return;
    this.#times.set(heardId, times);
    if (this.#times.size > MAX_REMEMBERED) this.#times.delete(this.#times.keys().next().value!);
    throw new DragomanError('unavailable', 'Could not store a chat message; retrying.', {
      cause: error,
      isRetryable: true,
    });
  }

  /** It was heard. */
  forget(heardId: string): void {
    this.#times.delete(heardId);
  }
}

/** Where something was to be stored. */
interface Where {
  db: Kysely<HubTables>;
  channel: string;
  now: number;
}

/** Why something could not be heard: retryable where the store takes nothing, and not where it is the matter of this alone. */
export async function causeOf(where: Where, error: unknown): Promise<DragomanError> {
  if (error instanceof DragomanError) return error;
  if (await isStoreThere(where))
    return new DragomanError('internal', 'Could not store a chat message.', { cause: error });
  return new DragomanError(
    'unavailable',
    'The database is not accepting writes, so new messages are waiting. Retrying; nothing is lost.',
    { cause: error, isRetryable: true },
  );
}

/** A disk that is full can still be read, so something is written. */
async function isStoreThere({ db, channel, now }: Where): Promise<boolean> {
  try {
    await db
      .insertInto('hub_chat_heard')
      .values({ channel, id: 'store', heard_at: now })
      .onConflict((conflict) => conflict.columns(['channel', 'id']).doUpdateSet({ heard_at: now }))
      .execute();
    return true;
  } catch {
    return false;
  }
}

/** A mistake in the program: it comes to the same every time. */
function isMistake(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}
