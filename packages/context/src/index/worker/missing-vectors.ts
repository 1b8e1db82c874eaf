import type { BlobStore } from '../blobs/blob-store.ts';
import { unpackNames } from '../blobs/packed-names.ts';
import { reasonOf } from '../blobs/tell-store-failure.ts';
import type { VectorsOfSegment } from '../embedder/segment-texts.ts';
import type { SegmentVectors } from '../embedder/segment-vectors.ts';
import type { SegmentRow, SegmentStore } from '../segment/segment-store.ts';
import type { BuildMethods } from './build-worker.ts';
import { chooseMerge } from './choose-merge.ts';
import type { IndexLog } from './segment-writer.ts';
import type { WorkerCalls } from './worker-calls.ts';

/** Files that get their vectors at a time: what was made stays, whatever becomes of the rest. */
const FILES_A_TIME = 200;
/** Between a reason to look for segments without vectors and the look. */
const SOON_MS = 1_000;
/** While it keeps failing, what makes vectors is asked less and less often, but at least this often. */
const MOST_PAUSE_MS = 5 * 60_000;

/** What making up for vectors needs. */
export interface MissingVectorsParts {
  segments: SegmentStore;
  blobs: BlobStore;
  worker: WorkerCalls<BuildMethods>;
  vectors: SegmentVectors;
  /** Of the vectors that are wanted. */
  space: string;
  log: IndexLog;
  /** Waits its turn: what is written, merged and rewritten never crosses. */
  enqueue(task: () => Promise<void>): Promise<void>;
  /** A segment was written. */
  written(id: string, writtenAt: number): void;
  /** Whether it goes to work by itself, as in a process that stays. */
  isStaying: boolean;
  signal: AbortSignal;
}

/**
 * Makes up for vectors that could not be had when segments were written. The files of such a segment are to be found by words
 * all the while: they move to segments with vectors, some at a time, once these are made.
 */
export class MissingVectors {
  readonly #parts: MissingVectorsParts;
  /** Segments that were tried and will not get any: their texts are refused. */
  readonly #givenUp = new Set<string>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(parts: MissingVectorsParts) {
    this.#parts = parts;
    parts.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /** Looks after these in a while, where they are not known to have vectors. */
  lookAfter(rows: readonly SegmentRow[]): void {
    if (rows.some(({ id, vectors }) => vectors !== this.#parts.space && !this.#givenUp.has(id))) this.soon();
  }

  /** The segments that should become one. One of which it is not known what it has is left alone until that is. */
  chooseMerge(rows: readonly SegmentRow[]): SegmentRow[] {
    const known = rows.filter(({ vectors }) => vectors !== null);
    return chooseMerge(known, new Set(known.filter((row) => this.#isBare(row)).map(({ id }) => id)));
  }

  /** What makes vectors was asked for something else, and answered. */
  providerAnswered(): void {
    if (this.#failures === 0) return;
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.soon();
  }

  /** Goes to work in a while, not before what makes vectors may be asked again. */
  soon(): void {
    const { isStaying, signal, vectors, log } = this.#parts;
    if (!isStaying || signal.aborted || this.#timer !== undefined || this.#running !== undefined) return;
    const growingMs = this.#failures === 0 ? 0 : vectors.restMs * 2 ** (this.#failures - 1);
    const afterMs = Math.max(SOON_MS, vectors.restLeftMs, Math.min(MOST_PAUSE_MS, growingMs));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.makeUp().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ reason: reasonOf(error) }, 'vectors that are missing could not be made');
      });
    }, afterMs);
    this.#timer.unref();
  }

  /** Until no segment lacks vectors, or none can be had. One try at a time. */
  makeUp(): Promise<void> {
    this.#running ??= this.#makeUp().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Resolves when nothing is under way any more, which is soon once the signal has said so. */
  async close(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  /** Finds out what the segments have that older programs wrote, here or elsewhere. One that cannot be read is found out by whoever asks it. */
  async #inspect(rows: readonly SegmentRow[]): Promise<SegmentRow[]> {
    const { segments, worker, signal } = this.#parts;
    const unknown = rows.filter(({ vectors }) => vectors === null).map(({ id }) => id);
    if (unknown.length === 0) return [...rows];
    await segments.fetch(unknown, signal);
    const found = await worker.call('inspect', { files: unknown.map((id) => segments.fileOf(id)) });
    for (const [file, vectors] of found) await segments.noteVectors(segments.idOf(file), vectors);
    return rows.map((row) => ({ ...row, vectors: row.vectors ?? found.get(segments.fileOf(row.id)) ?? null }));
  }

  /** Whether it has no vectors, or others than are wanted. */
  #isBare({ vectors }: SegmentRow): boolean {
    return vectors !== null && vectors !== this.#parts.space;
  }

  async #makeUp(): Promise<void> {
    const { segments, signal, vectors } = this.#parts;
    let isDone = true;
    /** What other servers are at. */
    const elsewhere = new Set<string>();
    while (!signal.aborted) {
      const rows = await this.#inspect(await segments.list());
      this.#forgetAllBut(rows);
      const next = rows.find((row) => this.#isBare(row) && !this.#givenUp.has(row.id) && !elsewhere.has(row.id));
      if (next === undefined) break;
      const filled = vectors.restLeftMs > 0 ? 'not now' : await this.#fill(next.id);
      if (filled === 'elsewhere') elsewhere.add(next.id);
      isDone = filled !== 'not now';
      if (!isDone) break;
    }
    if (signal.aborted) return;
    this.#failures = isDone ? 0 : this.#failures + 1;
    if (!isDone || elsewhere.size > 0) queueMicrotask(() => this.soon()); // When this one is over.
  }

  /** Gives vectors to some files of a segment that no other server is giving them to. */
  async #fill(id: string): Promise<'filled' | 'not now' | 'elsewhere'> {
    const { segments } = this.#parts;
    const names = await segments.blobNames([id]);
    if (segments.leases === undefined || names.length === 0) return this.#fillSome(id, names.slice(0, FILES_A_TIME));
    const { lease, free } = await segments.leases.takeFree(names, FILES_A_TIME);
    try {
      if (free.length === 0) return 'elsewhere';
      // Another server may have given them theirs before the lease was taken.
      const left = new Set(await segments.blobNames([id]));
      const some = free.filter((name) => left.has(name));
      return some.length === 0 ? 'filled' : await this.#fillSome(id, some);
    } finally {
      await lease.release();
    }
  }

  async #fillSome(id: string, names: readonly string[]): Promise<'filled' | 'not now'> {
    const { blobs, worker, vectors } = this.#parts;
    const contents = await blobs.contents(names);
    const files = [...contents].map(([blobName, { path, text }]) => ({ blobName, path, content: text }));
    return worker.hold(async () => {
      const texts = await worker.call('rebuild', { blobs: files });
      const { made, isDown } = await vectors.of(texts, { isAgain: true });
      if (isDown) return 'not now';
      // Nobody is left who could be found by them, or their texts are refused.
      if (made.paths.length === 0) this.#givenUp.add(id);
      else await this.#parts.enqueue(() => this.#move(id, made));
      return 'filled';
    });
  }

  async #move(from: string, vectors: VectorsOfSegment): Promise<void> {
    const { segments, worker, log, written } = this.#parts;
    const id = segments.newSegment();
    const file = segments.fileOf(id);
    try {
      const transfer = [vectors.chunks.buffer, vectors.paths.buffer];
      const { blobNames, bytes, writtenAt, ...made } = await worker.call(
        'finish',
        { file, vectors, isRebuilt: true },
        transfer,
      );
      const held = unpackNames(blobNames);
      if (!(await segments.move(from, { id, files: held.length, bytes, vectors: made.vectors }, held))) {
        segments.remove([id]);
        return;
      }
      written(id, writtenAt);
      log.debug({ segment: id, from, files: held.length, bytes }, 'files got the vectors they lacked');
    } catch (error) {
      segments.remove([id]); // The old one stays in force.
      throw error;
    }
  }

  #forgetAllBut(rows: readonly SegmentRow[]): void {
    const inForce = new Set(rows.map(({ id }) => id));
    for (const id of this.#givenUp) if (!inForce.has(id)) this.#givenUp.delete(id);
  }
}
