import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { SegmentTables } from './segment-tables.ts';

type Tables = Kysely<SegmentTables & BlobTables>;

/** A few of these are in memory at a time, and others get a turn between them. */
const PIECE_BYTES = 1 << 20;

/**
 * The files of segments in the database, in pieces, for servers that share it and did not write them. A segment is built once,
 * by the server that took in its files; whoever is asked about it later fetches it and keeps it beside its own.
 */
export class SegmentPieces {
  readonly #db: Tables;
  /** Several questions about the same segment fetch it once, until nobody waits for it any more. */
  readonly #fetching = new Map<string, { written: Promise<void>; waiting: number; leave: AbortController }>();

  constructor(db: Tables) {
    this.#db = db;
  }

  /** Keeps what a file holds, in one transaction with the row that puts it in force. */
  async keep(transaction: Tables, segment: string, file: string): Promise<void> {
    const handle = await open(file, 'r');
    try {
      for (let piece = 0; ; piece++) {
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(PIECE_BYTES), 0, PIECE_BYTES);
        if (bytesRead === 0) return;
        const bytes = buffer.subarray(0, bytesRead);
        await transaction.insertInto('context_segment_pieces').values({ segment, piece, bytes }).execute();
      }
    } finally {
      await handle.close();
    }
  }

  async forget(transaction: Tables, segments: readonly string[]): Promise<void> {
    if (segments.length > 0)
      await transaction.deleteFrom('context_segment_pieces').where('segment', 'in', segments).execute();
  }

  /** Deletes those of segments that are not in force. */
  async forgetUnknown(): Promise<void> {
    await this.#db
      .deleteFrom('context_segment_pieces')
      .where('segment', 'not in', (query) => query.selectFrom('context_segments').select('id'))
      .execute();
  }

  /** Those of the segments that the database has. */
  async known(segments: readonly string[]): Promise<Set<string>> {
    const rows = await this.#db
      .selectFrom('context_segment_pieces')
      .select('segment')
      .where('piece', '=', 0)
      .where('segment', '=', sql<string>`any(${segments}::text[])`)
      .execute();
    return new Set(rows.map(({ segment }) => segment));
  }

  /** Writes the file where it is not there. Nothing where the database does not have it: an older program wrote it elsewhere. */
  async fetch(segment: string, file: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (existsSync(file)) return;
    let fetching = this.#fetching.get(segment);
    if (fetching === undefined) {
      const leave = new AbortController();
      fetching = { written: this.#write(segment, file, leave.signal), waiting: 0, leave };
      this.#fetching.set(segment, fetching);
    }
    fetching.waiting++;
    try {
      await unlessAborted(fetching.written, signal);
    } finally {
      if (--fetching.waiting === 0) {
        fetching.leave.abort();
        if (this.#fetching.get(segment) === fetching) this.#fetching.delete(segment);
      }
    }
  }

  async #write(segment: string, file: string, signal: AbortSignal): Promise<void> {
    // Another process may fetch the same to the same folder.
    const draft = `${file}.${randomUUID()}.partial`;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    let piece = 0;
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        for (; ; piece++) {
          signal.throwIfAborted();
          const row = await this.#db
            .selectFrom('context_segment_pieces')
            .select('bytes')
            .where('segment', '=', segment)
            .where('piece', '=', piece)
            .executeTakeFirst();
          if (row === undefined) break;
          await handle.writeFile(row.bytes);
        }
      } finally {
        await handle.close();
      }
      // One that was replaced meanwhile may be cut: it is not in force any more, and its sum says that it is not whole.
      if (piece > 0) await rename(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  }
}
