import type { BlobStore } from '../blobs/blob-store.ts';
import { unpackNames } from '../blobs/packed-names.ts';
import { reasonOf } from '../blobs/tell-store-failure.ts';
import type { VectorsOfSegment } from '../embedder/segment-texts.ts';
import type { SegmentVectors } from '../embedder/segment-vectors.ts';
import type { SegmentRow, SegmentStore } from '../segment/segment-store.ts';
import type { BuildMethods } from './build-worker.ts';
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
  /** What is known of segments, which never change. */
  readonly #hasVectors = new Map<string, boolean>();
  /** Segments that were tried and will not get any: their texts are refused. */
  readonly #givenUp = new Set<string>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(parts: MissingVectorsParts) {
    this.#parts = parts;
    parts.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  /** A segment was written with them or without. */
  note(id: string, hasVectors: boolean): void {
    this.#hasVectors.set(id, hasVectors);
    if (!hasVectors) this.soon();
  }

  /** Looks after these in a while, where they are not known to have vectors. */
  lookAfter(ids: readonly string[]): void {
    if (ids.some((id) => this.#hasVectors.get(id) !== true && !this.#givenUp.has(id))) this.soon();
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

  /** Those of the segments that have no vectors. One that cannot be read is found out by whoever asks it. */
  async without(rows: readonly SegmentRow[]): Promise<Set<string>> {
    const { segments, worker } = this.#parts;
    const unknown = rows.filter(({ id }) => !this.#hasVectors.has(id)).map(({ id }) => segments.fileOf(id));
    if (unknown.length > 0) {
      const { bare, filled } = await worker.call('inspect', { files: unknown });
      for (const file of bare) this.#hasVectors.set(segments.idOf(file), false);
      for (const file of filled) this.#hasVectors.set(segments.idOf(file), true);
    }
    return new Set(rows.filter(({ id }) => this.#hasVectors.get(id) === false).map(({ id }) => id));
  }

  async #makeUp(): Promise<void> {
    const { segments, signal, vectors } = this.#parts;
    let isDone = true;
    while (!signal.aborted) {
      const rows = await segments.list();
      this.#forgetAllBut(rows);
      const without = await this.without(rows);
      const next = rows.find(({ id }) => without.has(id) && !this.#givenUp.has(id));
      if (next === undefined) break;
      isDone = vectors.restLeftMs === 0 && (await this.#fill(next.id));
      if (!isDone) break;
    }
    if (signal.aborted) return;
    this.#failures = isDone ? 0 : this.#failures + 1;
    if (!isDone) queueMicrotask(() => this.soon()); // When this one is over.
  }

  /** Gives vectors to some files of a segment; false where none could be had now. */
  async #fill(id: string): Promise<boolean> {
    const { segments, blobs, worker, vectors } = this.#parts;
    const names = (await segments.blobNames([id])).slice(0, FILES_A_TIME);
    const contents = await blobs.contents(names);
    const files = [...contents].map(([blobName, { path, text }]) => ({ blobName, path, content: text }));
    return worker.hold(async () => {
      const texts = await worker.call('rebuild', { blobs: files });
      const { made, isDown } = await vectors.of(texts, { isAgain: true });
      if (isDown) return false;
      // Nobody is left who could be found by them, or their texts are refused.
      if (made.paths.length === 0) this.#givenUp.add(id);
      else await this.#parts.enqueue(() => this.#move(id, made));
      return true;
    });
  }

  async #move(from: string, vectors: VectorsOfSegment): Promise<void> {
    const { segments, worker, log, written } = this.#parts;
    const id = segments.newSegment();
    const file = segments.fileOf(id);
    try {
      const transfer = [vectors.chunks.buffer, vectors.paths.buffer];
      const { blobNames, bytes, writtenAt } = await worker.call('finish', { file, vectors, isRebuilt: true }, transfer);
      const held = unpackNames(blobNames);
      if (!(await segments.move(from, { id, files: held.length, bytes }, held))) {
        segments.remove([id]);
        return;
      }
      this.#hasVectors.set(id, true);
      written(id, writtenAt);
      log.debug({ segment: id, from, files: held.length, bytes }, 'files got the vectors they lacked');
    } catch (error) {
      segments.remove([id]); // The old one stays in force.
      throw error;
    }
  }

  #forgetAllBut(rows: readonly SegmentRow[]): void {
    const inForce = new Set(rows.map(({ id }) => id));
    for (const id of this.#hasVectors.keys()) if (!inForce.has(id)) this.#hasVectors.delete(id);
    for (const id of this.#givenUp) if (!inForce.has(id)) this.#givenUp.delete(id);
  }
}
