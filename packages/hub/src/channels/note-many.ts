import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { Language } from './channel.ts';
import { manyNotice } from './notice-text.ts';
import { mayRepeat } from './people/heard-store.ts';
import { countWaiting } from './post-rows.ts';
import { addNote, type ChatPlace } from './post-store.ts';

const EVERY_MS = 60 * 60_000;

/**
 * Tells a chat that more questions wait than are asked in it one by one, once an hour. False where it was told already.
 */
export function noteMany(db: Kysely<HubTables>, place: ChatPlace, language: Language, now: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const what = `many ${place.chatId}`;
    if (!(await mayRepeat(transaction, { channel: place.channel, what, everyMs: EVERY_MS }, now))) return false;
    await addNote(transaction, place, manyNotice(language, await countWaiting(transaction, place)), now);
    return true;
  });
}
