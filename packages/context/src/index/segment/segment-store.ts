import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { newId } from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import { type Kysely, sql } from 'kysely';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { nameList } from '../blobs/name-list.ts';
import { inTurns } from '../blobs/next-turn.ts';
import { BuildLeases } from './build-leases.ts';
import { SegmentPieces } from './segment-pieces.ts';
import type { SegmentTables } from './segment-tables.ts';

export interface SegmentRow {
  id: string;
  files: number;
  bytes: number;
  /** The space of its vectors, '' where it has none; null where that is not known. */
  vectors: string | null;
}

/** A file that nobody refers to may be one that another process is about to register. */
const ORPHAN_AGE_MS = 3_600_000;
const NAMES_A_STATEMENT = 200;
/** Segments that one question fetches at a time: others of the server need the connections, too. */
const FETCHED_AT_ONCE = 3;
/** Copies of segments that another server may have written take no more of the disk, unless all of them are in use. */
const MOST_COPY_BYTES = 32 * 2 ** 30;

export interface SegmentStoreOptions {
  mostCopyBytes?: number;
}

/**
 * The segments in force: files in a folder, rows in the store. Rows decide; they change in one transaction with the
 * blobs that point to them, so a process that dies at any moment leaves either the old state or the new one.
 */
export class SegmentStore {
  readonly #folder: string;
  readonly #engine: Store['engine'];
  readonly #db: Kysely<SegmentTables & BlobTables>;
  /** Nothing with SQLite: who has the file of the database has those of the segments. */
  readonly #pieces: SegmentPieces | undefined;
  /** Nothing with SQLite, which one process builds on. */
  readonly leases: BuildLeases | undefined;
  /** Copies that were fetched anew and not found whole since. */
  readonly #renewed = new Set<string>();
  /** When each was last asked about, where there are copies. */
  readonly #askedAt = new Map<string, number>();
  readonly #mostCopyBytes: number;

  constructor(folder: string, store: Pick<Store, 'engine' | 'tables'>, options: SegmentStoreOptions = {}) {
    this.#folder = folder;
    this.#mostCopyBytes = options.mostCopyBytes ?? MOST_COPY_BYTES;
    this.#engine = store.engine;
    this.#db = store.tables<SegmentTables & BlobTables>();
    this.#pieces = store.engine === 'postgres' ? new SegmentPieces(this.#db) : undefined;
    this.leases = store.engine === 'postgres' ? new BuildLeases(store.tables<SegmentTables>()) : undefined;
  }

  /** Whether other servers write segments, too: this one has copies of those that it is asked about. */
  get isShared(): boolean {
    return this.#pieces !== undefined;
  }

  /** Brings the files of these here that another server wrote. One that cannot be had is found missing by who opens it. */
  async fetch(ids: readonly string[], signal?: AbortSignal): Promise<void> {
    const pieces = this.#pieces;
    if (pieces === undefined) return;
    const now = Date.now();
    for (const id of ids) this.#askedAt.set(id, now);
    const missing = ids.filter((id) => !existsSync(this.fileOf(id)));
    const fetchNext = async () => {
      for (let id; (id = missing.pop()) !== undefined;) await pieces.fetch(id, this.fileOf(id), signal);
    };
    await Promise.all(missing.slice(0, FETCHED_AT_ONCE).map(fetchNext));
  }

  /** Whether a file that cannot be read is worth fetching again, once: the one in the database may be whole. */
  renew(id: string): boolean {
    if (this.#pieces === undefined || this.#renewed.has(id)) return false;
    this.#renewed.add(id);
    this.remove([id]);
    return true;
  }

  /** These could be read: a copy that is damaged later is fetched again. */
  foundWhole(ids: readonly string[]): void {
    if (this.#renewed.size > 0) for (const id of ids) this.#renewed.delete(id);
  }

  newSegment(): string {
    return newId('seg');
  }

  fileOf(id: string): string {
    return join(this.#folder, `${id}.seg`);
  }

  idOf(file: string): string {
    return file.slice(this.#folder.length + 1, -'.seg'.length);
  }

  /** Newest first. */
  list(): Promise<SegmentRow[]> {
    return this.#db
      .selectFrom('context_segments')
      .select(['id', 'files', 'bytes', 'vectors'])
      .orderBy('id', 'desc')
      .execute();
  }

  /** Puts a segment in force for these blobs. Those that another process has indexed meanwhile stay where they are. */
  async register(row: SegmentRow, blobNames: readonly string[]): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      await this.#pieces?.keep(transaction, row.id, this.fileOf(row.id));
      await this.#take(transaction, row, blobNames, null);
    });
  }

  /** Puts one segment in the place of several; false, and nothing changed, where one of them was replaced meanwhile. */
  async replace(old: readonly string[], row: SegmentRow): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      if ((await this.#hold(transaction, old)) !== old.length) return false;
      await transaction.deleteFrom('context_segments').where('id', 'in', nameList(this.#engine, old)).execute();
      await this.#pieces?.forget(transaction, old);
      if (row.files > 0) await this.#pieces?.keep(transaction, row.id, this.fileOf(row.id));
      await this.#moveBlobs(transaction, old, row.files === 0 ? null : row.id);
      if (row.files === 0) return true;
      await transaction
        .insertInto('context_segments')
        .values({ ...row, made_at: Date.now() })
        .execute();
      return true;
    });
  }

  /**
   * Puts a segment in force for blobs of another one, which goes with the last of them. False, and nothing changed, where that
   * was replaced meanwhile.
   */
  async move(from: string, row: SegmentRow, blobNames: readonly string[]): Promise<boolean> {
    const isIn = (transaction: Kysely<SegmentTables & BlobTables>) =>
      transaction.selectFrom('context_blobs').select('name').where('segment', '=', from).limit(1).executeTakeFirst();
    const moved = await this.#db.transaction().execute(async (transaction) => {
      if ((await this.#hold(transaction, [from])) === 0) return { isDone: false, isEmpty: false };
      await this.#pieces?.keep(transaction, row.id, this.fileOf(row.id));
      await this.#take(transaction, row, blobNames, from);
      // Whoever knew where the blobs were looks again.
      await transaction
        .updateTable('context_segments')
        .set((column) => ({ files: column('files', '-', blobNames.length) }))
        .where('id', '=', from)
        .execute();
      const isEmpty = (await isIn(transaction)) === undefined;
      if (isEmpty) {
        await transaction.deleteFrom('context_segments').where('id', '=', from).execute();
        await this.#pieces?.forget(transaction, [from]);
      }
      return { isDone: true, isEmpty };
    });
    if (moved.isEmpty) this.remove([from]);
    return moved.isDone;
  }

  /** Says which vectors a segment has that was written by a program which did not. */
  async noteVectors(id: string, vectors: string): Promise<void> {
    await this.#db.updateTable('context_segments').set({ vectors }).where('id', '=', id).execute();
  }

  /** How many of each segment's blobs are still stored. */
  async liveCounts(): Promise<Map<string, number>> {
    const rows = await this.#db
      .selectFrom('context_blobs')
      .where('segment', 'is not', null)
      .groupBy('segment')
      .select(['segment', (query) => query.fn.countAll<number>().as('blobs')])
      .execute();
    return new Map(rows.map(({ segment, blobs }) => [segment!, Number(blobs)]));
  }

  /** The names of the blobs that these segments hold and that are still stored. */
  async blobNames(ids: readonly string[]): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('context_blobs')
      .select('name')
      .where('segment', 'in', nameList(this.#engine, ids))
      .execute();
    return rows.map(({ name }) => name);
  }

  /** By the segment that holds them, those of the names that one holds. Asked where segments are shared. */
  async holdersOf(names: readonly string[]): Promise<Map<string, string[]>> {
    const holders = new Map<string, string[]>();
    for await (const some of inTurns(names)) {
      const { rows } = await sql<{ segment: string; places: string }>`
        select blob.segment, string_agg(asked.place::text, ',') as places
        from unnest(${some}::text[]) with ordinality as asked (name, place)
        join context_blobs as blob on blob.name = asked.name
        where blob.segment is not null
        group by blob.segment
      `.execute(this.#db);
      for (const { segment, places } of rows) {
        const held = holders.get(segment) ?? [];
        for (const place of places.split(',')) held.push(some[Number(place) - 1]!);
        holders.set(segment, held);
      }
    }
    return holders;
  }

  /** The file is missing or broken: its blobs are to be indexed again. False where it was not in force any more. */
  async drop(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.transaction().execute(async (transaction) => {
      await this.#hold(transaction, [id]);
      await this.#moveBlobs(transaction, [id], null);
      await this.#pieces?.forget(transaction, [id]);
      return transaction.deleteFrom('context_segments').where('id', '=', id).executeTakeFirstOrThrow();
    });
    this.remove([id]);
    return numDeletedRows > 0n;
  }

  /**
   * The segments in force, newest first, and blobs that none of them holds, at most `limit` of them. Both at the same
   * moment: a blob that is not among the latter is in one of the former.
   */
  async state(limit: number): Promise<{ segments: SegmentRow[]; unindexed: string[] }> {
    const { rows } = await sql<{ id: string | null; unindexed: string | null } & Omit<SegmentRow, 'id'>>`
      select id, files, bytes, vectors, null as unindexed from context_segments
      union all
      select null, 0, 0, null, name
      from (select name from context_blobs where segment is null order by name limit ${sql.lit(limit)}) as left_over
    `.execute(this.#db);
    const segments: SegmentRow[] = [];
    const unindexed: string[] = [];
    for (const { id, unindexed: name, ...row } of rows) {
      if (id === null) unindexed.push(name!);
      else segments.push({ id, ...row });
    }
    return { segments: segments.sort((one, other) => (one.id < other.id ? 1 : -1)), unindexed };
  }

  /** How many of these are in force, and nobody else replaces them until the transaction ends. On SQLite there is no other. */
  async #hold(transaction: Kysely<SegmentTables & BlobTables>, ids: readonly string[]): Promise<number> {
    const inForce = transaction
      .selectFrom('context_segments')
      .select('id')
      .where('id', 'in', nameList(this.#engine, ids))
      .orderBy('id');
    return (await (this.#engine === 'sqlite' ? inForce : inForce.forUpdate()).execute()).length;
  }

  /** A new segment takes those of the blobs that are still in another one, or in none. */
  async #take(
    transaction: Kysely<SegmentTables & BlobTables>,
    row: SegmentRow,
    blobNames: readonly string[],
    from: string | null,
  ): Promise<void> {
    await transaction
      .insertInto('context_segments')
      .values({ ...row, made_at: Date.now() })
      .execute();
    for (const some of slices(blobNames)) {
      await transaction
        .updateTable('context_blobs')
        .set({ segment: row.id })
        .where('name', 'in', nameList(this.#engine, some))
        .where('segment', from === null ? 'is' : '=', from)
        .execute();
      await setImmediate(); // Others get a turn between statements.
    }
  }

  /** A row is written anew with all its content, so that a few thousand of them take a while. */
  async #moveBlobs(
    transaction: Kysely<SegmentTables & BlobTables>,
    from: readonly string[],
    to: string | null,
  ): Promise<void> {
    const rows = await transaction
      .selectFrom('context_blobs')
      .select('name')
      .where('segment', 'in', nameList(this.#engine, from))
      .execute();
    for (const some of slices(rows.map(({ name }) => name))) {
      await transaction
        .updateTable('context_blobs')
        .set({ segment: to })
        .where('name', 'in', nameList(this.#engine, some))
        .where('segment', 'in', nameList(this.#engine, from))
        .execute();
      await setImmediate();
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) for (const file of [this.fileOf(id), `${this.fileOf(id)}.partial`]) removeFile(file);
  }

  /** Deletes files that are not in force, such as a process left behind when it died, and copies that are too many. */
  async sweep(now = Date.now()): Promise<void> {
    const rows = await this.list();
    const known = new Set(rows.map(({ id }) => `${id}.seg`));
    for (const name of filesIn(this.#folder)) {
      const file = join(this.#folder, name);
      if (known.has(name) || !/\.seg(?:\..*partial)?$/.test(name)) continue;
      const age = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (age > ORPHAN_AGE_MS) removeFile(file);
    }
    const inForce = new Set(rows.map(({ id }) => id));
    for (const id of this.#askedAt.keys()) if (!inForce.has(id)) this.#askedAt.delete(id);
    await this.#removeCopies(rows);
  }

  /** Deletes what the database has of segments that are not in force. */
  async forgetPieces(): Promise<void> {
    await this.#pieces?.forgetUnknown();
  }

  /** Those that were not asked about for longest, until what is left is not too much. Who asks about one fetches it again. */
  async #removeCopies(rows: readonly SegmentRow[]): Promise<void> {
    if (this.#pieces === undefined) return;
    const copies = rows.flatMap(({ id }) => {
      const stat = statSync(this.fileOf(id), { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ id, bytes: stat.size, usedAt: this.#askedAt.get(id) ?? stat.mtimeMs }];
    });
    let excess = copies.reduce((sum, { bytes }) => sum + bytes, 0) - this.#mostCopyBytes;
    if (excess <= 0) return;
    const kept = await this.#pieces.known(copies.map(({ id }) => id));
    for (const { id, bytes } of copies.sort((one, other) => one.usedAt - other.usedAt)) {
      if (excess <= 0) return;
      if (!kept.has(id)) continue; // An older program wrote it: there is no other.
      this.remove([id]);
      excess -= bytes;
    }
  }
}

/** What cannot be deleted now, such as a file that somebody has open on Windows, goes with a later sweep. */
function removeFile(file: string): void {
  try {
    rmSync(file, { force: true, recursive: true });
  } catch {
    // It is not in force any more, or only a copy.
  }
}

function slices(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let start = 0; start < names.length; start += NAMES_A_STATEMENT)
    parts.push(names.slice(start, start + NAMES_A_STATEMENT));
  return parts;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
