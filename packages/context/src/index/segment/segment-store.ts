import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { newId } from '@dragoman/protocol';
import type { Store } from '@dragoman/server';
import { type Kysely, sql } from 'kysely';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { nameList } from '../blobs/name-list.ts';
import { SegmentPieces } from './segment-pieces.ts';
import type { SegmentTables } from './segment-tables.ts';

export interface SegmentRow {
  id: string;
  files: number;
  bytes: number;
}

/** A file that nobody refers to may be one that another process is about to register. */
const ORPHAN_AGE_MS = 3_600_000;
const NAMES_A_STATEMENT = 200;

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
  readonly #renewed = new Set<string>();

  constructor(folder: string, store: Pick<Store, 'engine' | 'tables'>) {
    this.#folder = folder;
    this.#engine = store.engine;
    this.#db = store.tables<SegmentTables & BlobTables>();
    this.#pieces = store.engine === 'postgres' ? new SegmentPieces(this.#db) : undefined;
  }

  /** Brings the files of these here that another server wrote. One that cannot be had is found missing by who opens it. */
  async fetch(ids: readonly string[]): Promise<void> {
    if (this.#pieces === undefined) return;
    for (const id of ids) await this.#pieces.fetch(id, this.fileOf(id));
  }

  /** Whether a file that cannot be read is worth fetching again, once: the one in the database may be whole. */
  renew(id: string): boolean {
    if (this.#pieces === undefined || this.#renewed.has(id)) return false;
    this.#renewed.add(id);
    this.remove([id]);
    return true;
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
    return this.#db.selectFrom('context_segments').select(['id', 'files', 'bytes']).orderBy('id', 'desc').execute();
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
      const there = await transaction
        .selectFrom('context_segments')
        .select('id')
        .where('id', 'in', nameList(this.#engine, old))
        .execute();
      if (there.length !== old.length) return false;
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
      const there = await transaction
        .selectFrom('context_segments')
        .select('id')
        .where('id', '=', from)
        .executeTakeFirst();
      if (there === undefined) return { isDone: false, isEmpty: false };
      await this.#pieces?.keep(transaction, row.id, this.fileOf(row.id));
      await this.#take(transaction, row, blobNames, from);
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

  /** The file is missing or broken: its blobs are to be indexed again. False where it was not in force any more. */
  async drop(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.transaction().execute(async (transaction) => {
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
    const { rows } = await sql<{ id: string | null; files: number; bytes: number; unindexed: string | null }>`
      select id, files, bytes, null as unindexed from context_segments
      union all
      select null, 0, 0, name
      from (select name from context_blobs where segment is null order by name limit ${sql.lit(limit)}) as left_over
    `.execute(this.#db);
    const segments: SegmentRow[] = [];
    const unindexed: string[] = [];
    for (const { id, files, bytes, unindexed: name } of rows) {
      if (id === null) unindexed.push(name!);
      else segments.push({ id, files, bytes });
    }
    return { segments: segments.sort((one, other) => (one.id < other.id ? 1 : -1)), unindexed };
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

  /** What cannot be deleted now, such as a file that somebody has open on Windows, goes with a later sweep. */
  remove(ids: readonly string[]): void {
    for (const id of ids) {
      for (const file of [this.fileOf(id), `${this.fileOf(id)}.partial`]) {
        try {
          rmSync(file, { force: true, recursive: true });
        } catch {
          // It is not in force any more, which is what counts.
        }
      }
    }
  }

  /** Deletes files that a process left behind when it died. */
  async sweep(now = Date.now()): Promise<void> {
    const known = new Set((await this.list()).map(({ id }) => `${id}.seg`));
    for (const name of filesIn(this.#folder)) {
      const file = join(this.#folder, name);
      if (known.has(name) || !/\.seg(?:\.partial)?$/.test(name)) continue;
      const age = now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (age > ORPHAN_AGE_MS) rmSync(file, { force: true, recursive: true });
    }
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
