import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { Store } from '@dragoman/server';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Blob, MissingBlobs } from '../../blob-server.ts';
import type { BlobTables } from './blob-tables.ts';
import { nameList } from './name-list.ts';
import { inTurns } from './next-turn.ts';
import { Unpacker } from './unpacker.ts';

export interface BlobContent {
  path: string;
  text: string;
}

/** The same with the text as it is kept, in UTF-8: whoever shows a few lines of it need not make all of it a string. */
export interface BlobBytes {
  path: string;
  bytes: Uint8Array;
}

export interface BlobFacts {
  path: string;
  /** Bytes of the text. */
  size: number;
}

export interface BlobStats {
  blobs: number;
  /** Of the texts. */
  bytes: number;
  /** As they are kept. */
  storedBytes: number;
  unindexed: number;
}

const DAY_MS = 86_400_000;
const PUT_ROWS = 500;
const SWEEP_ROWS = 1_000;
const READ_ROWS = 256;
const PACKED_AT_ONCE = 8;
/** A blob that nobody has asked about or from for this long can go: its client uploads it again. */
const UNUSED_DAYS = 30;
/** Stands for the segment of a blob of which only the name is kept: it counts as indexed, and nothing finds it. */
const LEFT_OUT = 'left-out';

const compress = promisify(zstdCompress);

/** The blobs, packed, and who may see which. The same content uploaded by two users is kept once. */
export class BlobStore {
  readonly #engine: Store['engine'];
  readonly #db: Kysely<BlobTables>;
  readonly #now: () => number;
  readonly #unpacker = new Unpacker();
  #removals = 0;

  constructor(store: Pick<Store, 'engine' | 'tables'>, options: { now?: () => number } = {}) {
    this.#engine = store.engine;
    this.#db = store.tables<BlobTables>();
    this.#now = options.now ?? Date.now;
  }

  /** Grows whenever this process took a blob from somebody: what was owned before may not be owned any more. */
  get removals(): number {
    return this.#removals;
  }

  /** Grows whenever any process gave this user a blob: what was not owned before may be now. */
  async additions(userId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('context_uploads')
      .select('uploads')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.uploads ?? 0;
  }

  /** Keeps blobs that were checked, for this user. Those that are kept already only get one more owner. */
  put(userId: string, blobs: readonly Blob[]): Promise<void> {
    return this.#put(userId, blobs, null);
  }

  /** Keeps only that this user has these: their content is thrown away, and they count as indexed. */
  putLeftOut(userId: string, blobs: readonly Blob[]): Promise<void> {
    const emptied = blobs.map(({ blobName, path }) => ({ blobName, path, content: '' }));
    return this.#put(userId, emptied, LEFT_OUT);
  }

  async #put(userId: string, blobs: readonly Blob[], segment: string | null): Promise<void> {
    const unique = [...new Map(blobs.map((blob) => [blob.blobName, blob])).values()];
    if (unique.length === 0) return;
    // Writers that meet at the same blobs wait for each other in the same order.
    unique.sort((one, other) => (one.blobName < other.blobName ? -1 : 1));
    const createdAt = this.#now();
    const rows = await toRows(unique, createdAt, segment);
    const names = unique.map((blob) => blob.blobName);
    await this.#db.transaction().execute(async (transaction) => {
      let missing = rows;
      while (missing.length > 0) {
        for (let start = 0; start < missing.length; start += PUT_ROWS) {
          await transaction.executeQuery(insertBlobs(this.#engine, missing.slice(start, start + PUT_ROWS)));
        }
        const held = await this.#hold(transaction, names);
        missing = rows.filter((row) => !held.has(row.name));
      }
      await this.#own(transaction, userId, names);
      // The last statement: other uploads of the user wait for this row.
      await sql`
        insert into context_uploads (user_id, uploads) values (${userId}, 1)
        on conflict (user_id) do update set uploads = context_uploads.uploads + 1
      `.execute(transaction);
    });
  }

  /** What this user has to upload, and what has been but cannot be found yet; each once, in the order asked. */
  async missing(userId: string, names: readonly string[]): Promise<MissingBlobs> {
    const asked = [...new Set(names)];
    const segments = new Map<string, string | null>();
    for await (const some of inTurns(asked)) {
      const known = some.filter(isBlobName);
      const rows = await this.#db
        .selectFrom('context_owners as owner')
        .innerJoin('context_blobs as blob', 'blob.name', 'owner.blob_name')
        .where('owner.user_id', '=', userId)
        .where('owner.blob_name', 'in', nameList(this.#engine, known))
        .select(['blob.name', 'blob.segment', 'owner.last_used'])
        .execute();
      await this.#touchOld(userId, rows);
      for (const row of rows) segments.set(row.name, row.segment);
    }
    return {
      unknown: asked.filter((name) => !segments.has(name)),
      nonindexed: asked.filter((name) => segments.get(name) === null),
    };
  }

  /** Those of the names that this user uploaded. Asking counts as use. */
  async owned(userId: string, names: readonly string[]): Promise<Set<string>> {
    const owned = new Set<string>();
    for await (const some of inTurns(names)) {
      const known = some.filter(isBlobName);
      if (known.length === 0) continue;
      const rows = await this.#db
        .selectFrom('context_owners')
        .where('user_id', '=', userId)
        .where('blob_name', 'in', nameList(this.#engine, known))
        .select(['blob_name as name', 'last_used'])
        .execute();
      await this.#touchOld(userId, rows);
      for (const row of rows) owned.add(row.name);
    }
    return owned;
  }

  /** What this user uploaded; of more than `limit`, what was used last. */
  async allOwned(userId: string, limit: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('context_owners')
      .where('user_id', '=', userId)
      .select('blob_name')
      .orderBy('last_used', 'desc')
      .orderBy('blob_name')
      .limit(limit)
      .execute();
    return rows.map((row) => row.blob_name);
  }

  /** The texts of those names that are kept. Who may see them was decided before. */
  async contents(names: readonly string[]): Promise<Map<string, BlobContent>> {
    const contents = new Map<string, BlobContent>();
    for (const [name, { path, bytes }] of await this.bytes(names))
      contents.set(name, { path, text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') });
    return contents;
  }

  /** The same, not made strings. */
  async bytes(names: readonly string[]): Promise<Map<string, BlobBytes>> {
    const found = new Map<string, BlobBytes>();
    const asked = [...new Set(names)].filter(isBlobName);
    for (let start = 0; start < asked.length; start += READ_ROWS) {
      const rows = await this.#db
        .selectFrom('context_blobs')
        .where('name', 'in', nameList(this.#engine, asked.slice(start, start + READ_ROWS)))
        .where(IS_KEPT)
        .select(['name', 'path', 'size', 'content'])
        .execute();
      const texts = await Promise.all(rows.map((row) => this.#unpacker.unpack(row.content, row.size)));
      for (const [index, row] of rows.entries()) found.set(row.name, { path: row.path, bytes: texts[index]! });
    }
    return found;
  }

  async facts(names: readonly string[]): Promise<Map<string, BlobFacts>> {
    const asked = names.filter(isBlobName);
    if (asked.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom('context_blobs')
      .where('name', 'in', nameList(this.#engine, asked))
      .where(IS_KEPT)
      .select(['name', 'path', 'size'])
      .execute();
    return new Map(rows.map(({ name, path, size }) => [name, { path, size }]));
  }

  /** Names that no segment holds, in order, from after the given one on. */
  async unindexed(limit: number, after = ''): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('context_blobs')
      .where('segment', 'is', null)
      .where('name', '>', after)
      .select('name')
      .orderBy('name')
      .limit(limit)
      .execute();
    return rows.map((row) => row.name);
  }

  /** Those of the names that are kept and that no segment holds. */
  async unindexedAmong(names: readonly string[]): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('context_blobs')
      .where('name', 'in', nameList(this.#engine, names.filter(isBlobName)))
      .where('segment', 'is', null)
      .select('name')
      .orderBy('name')
      .execute();
    return rows.map((row) => row.name);
  }

  async markIndexed(segmentId: string, names: readonly string[]): Promise<void> {
    await this.#db
      .updateTable('context_blobs')
      .set({ segment: segmentId })
      .where('name', 'in', nameList(this.#engine, names))
      .execute();
  }

  /** The segment is gone: what it held has to be indexed again. */
  async clearSegment(segmentId: string): Promise<void> {
    await this.#db.updateTable('context_blobs').set({ segment: null }).where('segment', '=', segmentId).execute();
  }

  /** The user has no more use for these. They go when nobody else has, at the next sweep. */
  async remove(userId: string, names: readonly string[]): Promise<void> {
    const owned = this.#db
      .selectFrom('context_owners')
      .where('user_id', '=', userId)
      .where('blob_name', 'in', nameList(this.#engine, names.filter(isBlobName)))
      .select('blob_name');
    await this.#db
      .deleteFrom('context_owners')
      .where('user_id', '=', userId)
      .where('blob_name', 'in', this.#engine === 'sqlite' ? owned : owned.orderBy('blob_name').forUpdate())
      .execute();
    this.#removals++;
  }

  /** Takes blobs from those who have not used them for long, and deletes what nobody owns: the names of that. */
  async sweep({ unusedDays = UNUSED_DAYS }: { unusedDays?: number } = {}): Promise<string[]> {
    const isUnused = sql<boolean>`last_used < ${this.#today() - unusedDays}`;
    await (
      this.#engine === 'sqlite'
        ? sql`delete from context_owners where ${isUnused}`
        : sql`delete from context_owners where (user_id, blob_name) in
            (select user_id, blob_name from context_owners where ${isUnused} for update skip locked)`
    ).execute(this.#db);
    this.#removals++;
    const removed: string[] = [];
    for (;;) {
      const names = await this.#deleteUnowned();
      removed.push(...names);
      if (names.length < SWEEP_ROWS) return removed;
    }
  }

  /** Of everything that is kept, or of what one user owns. */
  async stats(userId?: string): Promise<BlobStats> {
    const rows = this.#db.selectFrom('context_blobs as blob');
    const chosen =
      userId === undefined
        ? rows
        : rows.where('blob.name', 'in', (query) =>
            query.selectFrom('context_owners').where('user_id', '=', userId).select('blob_name'),
          );
    const row = await chosen
      .select([
        sql<number>`count(*)`.as('blobs'),
        sql<number>`coalesce(sum(blob.size), 0)`.as('bytes'),
        sql<number>`coalesce(sum(octet_length(blob.content)), 0)`.as('storedBytes'),
        sql<number>`coalesce(sum(case when blob.segment is null then 1 else 0 end), 0)`.as('unindexed'),
      ])
      .executeTakeFirstOrThrow();
    return {
      blobs: Number(row.blobs),
      bytes: Number(row.bytes),
      storedBytes: Number(row.storedBytes),
      unindexed: Number(row.unindexed),
    };
  }

  /**
   * Those of the names that are kept, and will be until this transaction ends: a sweep passes them over. On SQLite there
   * is no other transaction meanwhile.
   */
  async #hold(transaction: Kysely<BlobTables>, names: readonly string[]): Promise<Set<string>> {
    if (this.#engine === 'sqlite') return new Set(names);
    const rows = await transaction
      .selectFrom('context_blobs')
      .where('name', 'in', nameList(this.#engine, names))
      .select('name')
      .orderBy('name')
      .forKeyShare()
      .execute();
    return new Set(rows.map((row) => row.name));
  }

  async #own(transaction: Kysely<BlobTables>, userId: string, names: readonly string[]): Promise<void> {
    await sql`
      insert into context_owners (user_id, blob_name, last_used)
      select cast(${userId} as text), name, cast(${this.#today()} as bigint)
      from context_blobs
      where name in ${nameList(this.#engine, names)}
      order by name
      on conflict (user_id, blob_name) do update set last_used = excluded.last_used
    `.execute(transaction);
  }

  /** Notes that these are in use, once a day. What somebody else is writing at this moment is noted there. */
  async #touchOld(userId: string, rows: readonly { name: string; last_used: number }[]): Promise<void> {
    const today = this.#today();
    const old = rows.filter((row) => row.last_used < today).map((row) => row.name);
    if (old.length === 0) return;
    const untouched = this.#db
      .selectFrom('context_owners')
      .where('user_id', '=', userId)
      .where('last_used', '<', today)
      .where('blob_name', 'in', nameList(this.#engine, old))
      .select('blob_name');
    await this.#db
      .updateTable('context_owners')
      .set({ last_used: today })
      .where('user_id', '=', userId)
      .where('blob_name', 'in', this.#engine === 'sqlite' ? untouched : untouched.forUpdate().skipLocked())
      .execute();
  }

  /**
   * Some of what nobody owns. PostgreSQL looks twice: a row that is locked here can get an owner only before or after,
   * and the second look sees one that came before.
   */
  #deleteUnowned(): Promise<string[]> {
    return this.#db.transaction().execute(async (transaction) => {
      const unowned = transaction
        .selectFrom('context_blobs')
        .where(HAS_NO_OWNER)
        .select('context_blobs.name')
        .limit(SWEEP_ROWS);
      const found = await (this.#engine === 'sqlite' ? unowned : unowned.forUpdate().skipLocked()).execute();
      const names = found.map((row) => row.name);
      if (names.length === 0) return [];
      const deleted = await transaction
        .deleteFrom('context_blobs')
        .where('name', 'in', nameList(this.#engine, names))
        .where(HAS_NO_OWNER)
        .returning('name')
        .execute();
      return deleted.map((row) => row.name);
    });
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }
}

const HAS_NO_OWNER = sql<boolean>`not exists (select 1 from context_owners where blob_name = context_blobs.name)`;

const IS_KEPT = sql<boolean>`coalesce(segment, '') <> ${LEFT_OUT}`;

/** Whether this can be a blob's name at all. Anything else is never asked of the database. */
export function isBlobName(name: string): boolean {
  return BLOB_NAME.test(name);
}

const BLOB_NAME = /^[0-9a-f]{64}$/;

/** A few at a time: each packing holds a megabyte or two while it runs, and there are only so many threads. */
async function toRows(
  blobs: readonly Blob[],
  createdAt: number,
  segment: string | null,
): Promise<BlobTables['context_blobs'][]> {
  const rows: BlobTables['context_blobs'][] = [];
  for (let start = 0; start < blobs.length; start += PACKED_AT_ONCE)
    rows.push(
      ...(await Promise.all(blobs.slice(start, start + PACKED_AT_ONCE).map((blob) => toRow(blob, createdAt, segment)))),
    );
  return rows;
}

const BLOB_COLUMNS = ['name', 'path', 'size', 'segment', 'created_at', 'content'] as const;

/** Written out as text: for hundreds of rows, putting a query together piece by piece takes longer than running it. */
function insertBlobs(engine: Store['engine'], rows: readonly BlobTables['context_blobs'][]): CompiledQuery {
  const parameters = rows.flatMap((row) => BLOB_COLUMNS.map((column) => row[column]));
  const width = BLOB_COLUMNS.length;
  const marks = rows.map((_, row) => {
    const columns = BLOB_COLUMNS.map((_column, at) => (engine === 'postgres' ? `$${row * width + at + 1}` : '?'));
    return `(${columns.join(',')})`;
  });
  return CompiledQuery.raw(
    `insert into context_blobs (${BLOB_COLUMNS.join(', ')}) values ${marks.join(',')} on conflict (name) do nothing`,
    parameters,
  );
}

/** Packing happens on Node's own threads. Told the size beforehand, zstd takes a quarter of the time for small texts. */
async function toRow(blob: Blob, createdAt: number, segment: string | null): Promise<BlobTables['context_blobs']> {
  const text = Buffer.from(blob.content, 'utf8');
  const content = await compress(text, {
    pledgedSrcSize: text.length,
    params: { [constants.ZSTD_c_compressionLevel]: 1 },
  });
  return { name: blob.blobName, path: blob.path, size: text.length, segment, created_at: createdAt, content };
}
