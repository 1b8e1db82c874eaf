import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import { type Kysely, sql } from 'kysely';
import type { JsonObject } from '../../tools/json-object.ts';
import type { KeptTables } from './kept-tables.ts';

const DAY_MS = 86_400_000;
const SWEEP_MS = 3_600_000;
/** Of one response with what was sent for it; a larger one is not kept. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Of all that a user keeps; the ones that were not used for the longest time make room. */
const MOST_BYTES_OF_USER = 256 * 1024 * 1024;
/** Of one conversation, which is sent whole with every turn. */
const MOST_BYTES_OF_CHAIN = 20 * 1024 * 1024;
const MOST_LINKS = 1000;
/**
 * Another server may be writing what a client goes on from: it tells the end of an answer before that is stored. So what is not
 * there is looked for again, after each of these, for a second in all.
 */
export const LOOK_AGAIN_MS: readonly number[] = [20, 40, 80, 160, 300, 400];

/** A response that can be asked for again, or gone on from. */
export interface KeptResponse {
  id: string;
  userId: string;
  previousId: string | null;
  /** Where the provider keeps it, as "provider/model"; empty where it is kept here. */
  target: string;
  /** The items that were sent with it, without those before. */
  input: JsonObject[];
  /** The response as it was told; nothing where the provider keeps it. */
  response: JsonObject | undefined;
}

/** One that was stored. */
interface StoredResponse extends KeptResponse {
  bytes: number;
}

/** The responses of each user, where the configuration allows keeping what was said. */
export class KeptResponses {
  readonly #db: Kysely<KeptTables> | undefined;
  readonly #keepDays: () => number | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #lookAgainMs: readonly number[];
  /** Those that are being written: a client may go on from one before it is stored. */
  readonly #writing = new Map<string, Promise<void>>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    db: Kysely<KeptTables> | undefined,
    keepDays: () => number | undefined,
    onError: (error: unknown) => void,
    lookAgainMs: readonly number[] = [],
  ) {
    this.#db = db;
    this.#keepDays = keepDays;
    this.#onError = onError;
    this.#lookAgainMs = lookAgainMs;
  }

  get isOn(): boolean {
    return this.#db !== undefined && this.#keepDays() !== undefined;
  }

  /** Begins to throw away what is too old, or everything where nothing may be kept. */
  open(): void {
    if (this.#db === undefined) return;
    const sweep = () => void this.sweep().catch(this.#onError);
    this.#sweeper = setInterval(sweep, SWEEP_MS).unref();
    sweep();
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all(this.#writing.values());
  }

  /** Keeps a response, once it was made ready for that. Returns at once; whoever asks for it meanwhile waits. */
  keep(id: string, make: () => Promise<KeptResponse>): void {
    const written = make()
      .then((kept) => this.#insert(kept))
      .catch(this.#onError)
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, written);
  }

  /** A response of that user, unless it is too old. */
  async find(id: string, userId: string): Promise<StoredResponse | undefined> {
    if (!this.isOn || !isName(id)) return undefined;
    await this.#writing.get(id);
    const row = await this.#look(id, userId);
    if (row !== undefined) return toKept(row);
    for (const ms of this.#lookAgainMs) {
      await delay(ms);
      const late = await this.#look(id, userId);
      if (late !== undefined) return toKept(late);
    }
    return undefined;
  }

  #look(id: string, userId: string): Promise<KeptTables['kept_responses'] | undefined> {
    return this.#db!.selectFrom('kept_responses')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('used_at', '>=', this.#oldest())
      .executeTakeFirst();
  }

  /** Whether somebody else has a response of that name. */
  async isOfOthers(id: string, userId: string): Promise<boolean> {
    if (!this.isOn || !isName(id)) return false;
    const row = await this.#db!.selectFrom('kept_responses')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '!=', userId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** A response and those it goes on from, the oldest first. They count as used. */
  async chain(last: StoredResponse): Promise<KeptResponse[]> {
    const links = [last];
    let { bytes } = last;
    for (let link = last; link.previousId !== null;) {
      const before = await this.find(link.previousId, link.userId);
      if (before === undefined) throw missing(link.previousId);
      bytes += before.bytes;
      if (links.length === MOST_LINKS || bytes > MOST_BYTES_OF_CHAIN)
        throw new DragomanError(
          'too-large',
          `previous_response_id: this conversation is longer than ${MOST_LINKS} responses or ${MOST_BYTES_OF_CHAIN} bytes; start a new one.`,
        );
      links.unshift((link = before));
      await nextTurn(); // Each may have been long.
    }
    await this.#db!.updateTable('kept_responses')
      .set({ used_at: Date.now() })
      .where(
        'id',
        'in',
        links.map(({ id }) => id),
      )
      .execute();
    return links;
  }

  async remove(id: string, userId: string): Promise<void> {
    await this.#db?.deleteFrom('kept_responses').where('id', '=', id).where('user_id', '=', userId).execute();
  }

  async sweep(): Promise<void> {
    const isOff = this.#keepDays() === undefined;
    const all = this.#db!.deleteFrom('kept_responses');
    await (isOff ? all : all.where('used_at', '<', this.#oldest())).execute();
  }

  #oldest(): number {
    return Date.now() - (this.#keepDays() ?? 0) * DAY_MS;
  }

  async #insert({ id, userId, previousId, target, input, response }: KeptResponse): Promise<void> {
    const [sent, said] = response === undefined ? [null, null] : [JSON.stringify(input), JSON.stringify(response)];
    const bytes = Buffer.byteLength(sent ?? '') + Buffer.byteLength(said ?? '');
    if (bytes > MOST_BYTES) return;
    const now = Date.now();
    await this.#db!.insertInto('kept_responses')
      .values({
        id,
        user_id: userId,
        previous_id: previousId,
        target,
        made_at: now,
        used_at: now,
        bytes,
        input: sent,
        response: said,
      })
      .execute();
    await this.#makeRoom(userId);
  }

  async #makeRoom(userId: string): Promise<void> {
    const mine = this.#db!.selectFrom('kept_responses').where('user_id', '=', userId);
    const { held } = await mine.select(sql<number>`coalesce(sum(bytes), 0)`.as('held')).executeTakeFirstOrThrow();
    let tooMuch = Number(held) - MOST_BYTES_OF_USER;
    if (tooMuch <= 0) return;
    for (const row of await mine.select(['id', 'bytes']).orderBy('used_at').limit(MOST_LINKS).execute()) {
      if (tooMuch <= 0) return;
      tooMuch -= row.bytes;
      await this.remove(row.id, userId);
    }
  }
}

/** What a client is told whose conversation begins with a response that is not here. */
export function missing(id: string): DragomanError {
  return new DragomanError(
    'bad-request',
    `previous_response_id: there is no response ${JSON.stringify(id.slice(0, 100))}. It was not stored, was deleted, or has expired. Send the whole conversation as input.`,
  );
}

/** PostgreSQL cannot look for every text. */
function isName(id: string): boolean {
  return /^[\w.:-]{1,200}$/.test(id);
}

function toKept(row: KeptTables['kept_responses']): StoredResponse {
  return {
    id: row.id,
    userId: row.user_id,
    previousId: row.previous_id,
    target: row.target,
    bytes: row.bytes,
    input: row.input === null ? [] : (JSON.parse(row.input) as JsonObject[]),
    response: row.response === null ? undefined : (JSON.parse(row.response) as JsonObject),
  };
}
