import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';

type Db = Kysely<HubTables>;

const DAY_MS = 24 * 60 * 60_000;

/** Whether something was heard before. */
export async function wasHeard(db: Db, channel: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('hub_chat_heard')
    .select('id')
    .where('channel', '=', channel)
    .where('id', '=', told(id))
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that something was heard, in the transaction that keeps what is said about it. False where it was noted before. */
export function noteHeard(db: Db, channel: string, id: string, now: number): Promise<boolean> {
  return note(db, channel, told(id), now);
}

/** Forgets what no platform tells of any more. */
export async function forgetHeard(db: Db, channel: string, now: number): Promise<void> {
  await db
    .deleteFrom('hub_chat_heard')
    .where('channel', '=', channel)
    .where('heard_at', '<', now - DAY_MS)
    .execute();
}

/** Whether it is time to say something that is said only now and then, for at most a day; from then on it is not. */
export async function mayRepeat(
  db: Db,
  { channel, what, everyMs }: { channel: string; what: string; everyMs: number },
  now: number,
): Promise<boolean> {
  const id = `said ${what}`;
  await db
    .deleteFrom('hub_chat_heard')
    .where('channel', '=', channel)
    .where('id', '=', id)
    .where('heard_at', '<=', now - everyMs)
    .execute();
  return note(db, channel, id, now);
}

/** So many wrong codes an account may send, and so long it waits then. */
const MAX_WRONG_CODES = 5;
const LOCK_MS = 60 * 60_000;

/**
 * Takes one of an account's tries to name a code, before it is looked at: of many at once only so many get through.
 * Says how many are left, and nothing where there was none to take.
 */
export async function takeCodeTry(
  db: Db,
  { channel, accountId }: { channel: string; accountId: string },
  now: number,
): Promise<{ left: number } | undefined> {
  const ids = tries(accountId);
  await db
    .deleteFrom('hub_chat_heard')
    .where('channel', '=', channel)
    .where('id', 'in', ids)
    .where('heard_at', '<=', now - LOCK_MS)
    .execute();
  for (const [index, id] of ids.entries()) {
    if (!(await note(db, channel, id, now))) continue;
    const left = ids.length - index - 1;
    // The hour counts from the last one.
    if (left === 0)
      await db
        .updateTable('hub_chat_heard')
        .set({ heard_at: now })
        .where('channel', '=', channel)
        .where('id', 'in', ids)
        .execute();
    return { left };
  }
  return undefined;
}

/** After the right code earlier wrong ones do not count. */
export async function forgetCodeTries(
  db: Db,
  { channel, accountId }: { channel: string; accountId: string },
): Promise<void> {
  await db.deleteFrom('hub_chat_heard').where('channel', '=', channel).where('id', 'in', tries(accountId)).execute();
}

/** Notes which code an account was bound with, for a day: the link with it may be pressed once more. */
export async function noteUsedCode(
  db: Db,
  { channel, accountId }: { channel: string; accountId: string },
  mark: string,
  now: number,
): Promise<void> {
  await note(db, channel, `used ${mark} ${accountId}`, now);
}

/** Whether an account was bound with this code. */
export async function hasUsedCode(
  db: Db,
  { channel, accountId }: { channel: string; accountId: string },
  mark: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('hub_chat_heard')
    .select('id')
    .where('channel', '=', channel)
    .where('id', '=', `used ${mark} ${accountId}`)
    .executeTakeFirst();
  return row !== undefined;
}

function tries(accountId: string): string[] {
  return Array.from({ length: MAX_WRONG_CODES }, (_, index) => `code ${index + 1} ${accountId}`);
}

/** Ids of platforms stand apart from our own. */
function told(id: string): string {
  return `heard ${id}`;
}

async function note(db: Db, channel: string, id: string, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('hub_chat_heard')
    .values({ channel, id, heard_at: now })
    .onConflict((conflict) => conflict.columns(['channel', 'id']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
