import { DragomanError } from '@dragoman/protocol';
import type { Blob } from '../../blob-server.ts';
import { startWorker } from '../../start-worker.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { SegmentRow, SegmentStore } from '../segment/segment-store.ts';
import type { BuildMethods } from './build-worker.ts';
import { chooseMerge } from './choose-merge.ts';
import { WorkerCalls } from './worker-calls.ts';

export interface IndexLog {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

const IDLE_MS = 30_000;
/** A segment is written when this much waits in memory, about thirty megabytes of source, … */
const MOST_WAITING_BYTES = 24 << 20;
/** … or when nothing came for a while: at once after one edit, later while many arrive. */
const LEAST_PAUSE_MS = 10;
const MOST_PAUSE_MS = 400;
/** Blobs that are read back from the store at a time. */
const LEFT_OVER_BATCH = 200;

/**
 * Turns blobs into segments, one after the other. A blob is known to be indexed by its row in the store, which is
 * written in one transaction with the segment's; what was not written is found there again at the next start.
 */
export class SegmentWriter {
  readonly #segments: SegmentStore;
  readonly #blobs: BlobStore;
  readonly #log: IndexLog;
  readonly #worker = new WorkerCalls<BuildMethods>(() => startWorker('build-worker', import.meta.url), {
    idleMs: IDLE_MS,
    ended: () => this.#lostAll(),
  });
  /** Blobs taken in and not yet to be found, and who waits for them. */
  readonly #pending = new Map<string, PromiseWithResolvers<void>>();
  /** Those of them that the next segment will have. */
  #inBuilder: string[] = [];
  /** What the builder cannot read; asking again would not help. */
  readonly #hopeless = new Set<string>();
  #adding = 0;
  #pause: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #leftOver: Promise<void> | undefined;
  #isClosed = false;

  constructor(segments: SegmentStore, blobs: BlobStore, log: IndexLog) {
    this.#segments = segments;
    this.#blobs = blobs;
    this.#log = log;
  }

  async add(blobs: readonly Blob[]): Promise<void> {
    const fresh = blobs.filter(({ blobName }) => !this.#pending.has(blobName));
    if (fresh.length === 0) return;
    for (const { blobName } of fresh) {
      const waiter = Promise.withResolvers<void>();
      waiter.promise.catch(() => {}); // Nobody may be waiting.
      this.#pending.set(blobName, waiter);
    }
    clearTimeout(this.#pause);
    this.#adding++;
    try {
      const { failed, waitingBytes } = await this.#worker.call('add', { blobs: fresh });
      for (const { blobName, reason } of failed) {
        this.#log.warn({ blobName, reason }, 'a blob cannot be indexed');
        this.#hopeless.add(blobName);
        this.#settle([blobName]);
      }
      const skipped = new Set(failed.map(({ blobName }) => blobName));
      for (const { blobName } of fresh) if (!skipped.has(blobName)) this.#inBuilder.push(blobName);
      if (waitingBytes > MOST_WAITING_BYTES) await this.#enqueue(() => this.#finish());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const lost = new DragomanError('unavailable', `The index could not be built: ${reason}`, { cause: error });
      this.#settle(
        fresh.map(({ blobName }) => blobName),
        lost,
      );
      throw lost;
    } finally {
      this.#adding--;
      this.#finishSoon();
    }
  }

  async whenIndexed(blobNames: readonly string[], signal?: AbortSignal): Promise<void> {
    if (blobNames.some((name) => !this.#pending.has(name))) await this.indexLeftOver();
    signal?.throwIfAborted(); // Before anything is waited for that could fail with nobody there to see it.
    const all = Promise.all(blobNames.map((name) => this.#pending.get(name)?.promise));
    if (signal === undefined) {
      await all;
      return;
    }
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([all, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Takes in what is stored and in no segment: what a process left undone, or what a lost segment held. */
  indexLeftOver(): Promise<void> {
    this.#leftOver ??= this.#addLeftOver().finally(() => (this.#leftOver = undefined));
    return this.#leftOver;
  }

  /** Resolves when everything that was taken in so far can be found. */
  async whenAllIndexed(): Promise<void> {
    await Promise.all([...this.#pending.values()].map(({ promise }) => promise));
  }

  /** Rewrites segments whose blobs are mostly gone, and deletes those that hold none. */
  compact(): Promise<void> {
    return this.#enqueue(async () => {
      const live = await this.#segments.liveCounts();
      for (const row of await this.#segments.list())
        if ((live.get(row.id) ?? 0) < row.files / 2) await this.#merge([row]);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    await this.#last.catch(() => {});
    if (this.#inBuilder.length > 0) await this.#finish().catch(() => {});
    await this.#worker.close();
  }

  async #addLeftOver(): Promise<void> {
    let after = '';
    for (;;) {
      const names = await this.#blobs.unindexed(LEFT_OVER_BATCH, after);
      if (names.length === 0) return;
      after = names.at(-1)!;
      const contents = await this.#blobs.contents(
        names.filter((name) => !this.#pending.has(name) && !this.#hopeless.has(name)),
      );
      await this.add([...contents].map(([blobName, { path, text }]) => ({ blobName, path, content: text })));
    }
  }

  #finishSoon(): void {
    clearTimeout(this.#pause);
    if (this.#adding > 0 || this.#inBuilder.length === 0 || this.#isClosed) return;
    const pause = Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + this.#inBuilder.length);
    this.#pause = setTimeout(() => void this.#enqueue(() => this.#finish()).catch(() => {}), pause);
  }

  async #finish(): Promise<void> {
    const names = this.#inBuilder;
    if (names.length === 0) return;
    this.#inBuilder = [];
    const id = this.#segments.newSegment();
    try {
      const { files, bytes } = await this.#worker.call('finish', { file: this.#segments.fileOf(id) });
      await this.#segments.register({ id, files, bytes }, names);
      this.#log.debug({ segment: id, files, bytes }, 'a segment was written');
      this.#settle(names);
    } catch (error) {
      this.#segments.remove([id]);
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn(
        { reason, blobs: names.length },
        'a segment could not be written; its blobs are tried again later',
      );
      this.#settle(
        names,
        new DragomanError('unavailable', `The index could not be written: ${reason}`, { cause: error }),
      );
      throw error;
    }
    const merge = chooseMerge(await this.#segments.list());
    if (merge.length > 1) await this.#merge(merge);
  }

  async #merge(rows: readonly SegmentRow[]): Promise<void> {
    const old = rows.map(({ id }) => id);
    const names = await this.#segments.blobNames(old);
    const id = this.#segments.newSegment();
    const into = this.#segments.fileOf(id);
    try {
      const kept = Buffer.from(names.join(''), 'hex');
      const files = old.map((one) => this.#segments.fileOf(one));
      const merged =
        names.length === 0 ? { files: 0, bytes: 0 } : await this.#worker.call('merge', { files, into, kept });
      if (await this.#segments.replace(old, { id, ...merged })) this.#segments.remove(old);
      else this.#segments.remove([id]);
      this.#log.debug({ segment: id, merged: old.length, ...merged }, 'segments were merged');
    } catch (error) {
      // The old ones stay in force. One that cannot be read is noticed when it is asked.
      this.#segments.remove([id]);
      this.#log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'segments could not be merged',
      );
    }
  }

  /** One thing after the other: what is written, merged and rewritten never crosses. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    const next = this.#last.then(task);
    this.#last = next.catch(() => {});
    return next;
  }

  #settle(names: readonly string[], error?: DragomanError): void {
    for (const name of names) {
      const waiter = this.#pending.get(name);
      this.#pending.delete(name);
      if (error === undefined) waiter?.resolve();
      else waiter?.reject(error);
    }
  }

  /** The thread is gone, and with it what it had taken in. In good order that is nothing. */
  #lostAll(): void {
    const names = this.#inBuilder;
    this.#inBuilder = [];
    if (names.length > 0)
      this.#settle(names, new DragomanError('unavailable', 'The thread that builds the index ended.'));
  }
}
