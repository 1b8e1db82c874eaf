import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol/error';
import { diskFullError, isFullDisk } from '@dragoman/server/base';
import type { Blob } from '../../blob-server.ts';
import { startWorker } from '../../start-worker.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { packNames, unpackNames } from '../blobs/packed-names.ts';
import { reasonOf } from '../blobs/tell-store-failure.ts';
import type { Embedder } from '../embedder/embedder.ts';
import { SegmentVectors } from '../embedder/segment-vectors.ts';
import type { BuildLease } from '../segment/build-leases.ts';
import type { SegmentRow, SegmentStore } from '../segment/segment-store.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { BrokenSegment, BuildMethods } from './build-worker.ts';
import { chooseMerge } from './choose-merge.ts';
import { MissingVectors } from './missing-vectors.ts';
import { Patience } from './patience.ts';
import type { IndexThreadData } from './vectors-in-use.ts';
import { WaitingBlobs } from './waiting-blobs.ts';
import { WorkerCalls } from './worker-calls.ts';

export interface IndexLog {
  debug(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

const IDLE_MS = 30_000;
/** A segment is written when this much waits in memory, about twenty megabytes of source, … */
const MOST_WAITING_BYTES = 16 << 20;
/** … or when nothing came for a while: at once after one edit, later while many arrive. */
const LEAST_PAUSE_MS = 10;
const MOST_PAUSE_MS = 400;
/** However many come without a pause, the first of them is not kept waiting longer. */
const MOST_WAIT_MS = 2_000;
/** A segment of which less is still needed is written anew. */
const LEAST_LIVE = 0.75;
/** Blobs that are read back from the store at a time. */
const LEFT_OVER_BATCH = 200;
/** How often it is looked whether another server has built what is asked about. */
const ELSEWHERE_MS = 100;
/** How often it is looked whether a question at another server waits for what is built here. */
const WANTED_MS = 250;
/** Stands for the segment of a blob that cannot be indexed: nobody is to wait for it, nor to try again. */
const UNREADABLE = 'unreadable';

export interface SegmentWriterOptions {
  mostWaitingBytes?: number;
  /** Makes the vectors; without it the built-in ones are used. */
  embedder?: Embedder | undefined;
  /** How long it is left alone after it failed. */
  embedderRestMs?: number | undefined;
  /** How long a question waits for files whose vectors it is making. */
  patienceMs?: number | undefined;
  /** Whether vectors that could not be had are made up for without being told to, as in a process that stays. */
  isStaying?: boolean | undefined;
}

/**
 * Turns blobs into segments, one after the other. A blob is known to be indexed by its row in the store, which is
 * written in one transaction with the segment's; what was not written is found there again at the next start.
 */
export class SegmentWriter {
  readonly #segments: SegmentStore;
  readonly #blobs: BlobStore;
  readonly #log: IndexLog;
  readonly #mostWaitingBytes: number;
  /** Where vectors are not made by the thread. */
  readonly #vectors: SegmentVectors | undefined;
  readonly #missing: MissingVectors | undefined;
  readonly #patience: Patience;
  readonly #closing = new AbortController();
  readonly #worker: WorkerCalls<BuildMethods>;
  readonly #pending = new WaitingBlobs();
  /** Those of them that the thread was given since it was last told to write: the next segment will have them. */
  #inBuilder: string[] = [];
  /** Keep other servers from building the same. */
  #leases: BuildLease[] = [];
  /** When the first of them came. */
  #firstAt = 0;
  /** When each segment was written that this process wrote. */
  readonly #writtenAt = new Map<string, number>();
  #adding = 0;
  #pause: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #leftOver: Promise<void> | undefined;
  #isHeeding = false;
  #isClosed = false;

  constructor(segments: SegmentStore, blobs: BlobStore, log: IndexLog, options: SegmentWriterOptions = {}) {
    this.#segments = segments;
    this.#blobs = blobs;
    this.#log = log;
    this.#mostWaitingBytes = options.mostWaitingBytes ?? MOST_WAITING_BYTES;
    const { embedder, embedderRestMs, isStaying = false } = options;
    const { signal } = this.#closing;
    this.#patience = new Patience(options.patienceMs);
    this.#vectors = embedder && new SegmentVectors(embedder, log, { restMs: embedderRestMs, signal });
    const workerData: IndexThreadData = { givenSpace: embedder?.space };
    this.#worker = new WorkerCalls<BuildMethods>(() => startWorker('build-worker', import.meta.url, { workerData }), {
      idleMs: IDLE_MS,
      ended: () => this.#lostAll(),
    });
    this.#missing =
      this.#vectors &&
      new MissingVectors({
        segments,
        blobs,
        log,
        signal,
        isStaying,
        worker: this.#worker,
        vectors: this.#vectors,
        space: embedder!.space,
        enqueue: (task) => this.#enqueue(task),
        written: (id, writtenAt) => void this.#writtenAt.set(id, writtenAt),
      });
  }

  /** When this process wrote the segment, where it did: a file with that time need not be looked over. */
  writtenAt(id: string): number | undefined {
    return this.#writtenAt.get(id);
  }

  /** Does what a question waits for: files are not kept from it for long by vectors that are being made. */
  whileAsked<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.#patience.whileAsked(task);
  }

  /** Whether a question has just waited for vectors of files, and in vain. */
  get hasKeptWaiting(): boolean {
    return this.#patience.isSpent;
  }

  /** Where vectors are made elsewhere: files that got none get them, as far as they can be had now. */
  async makeUp(signal?: AbortSignal): Promise<void> {
    const missing = this.#missing;
    if (missing !== undefined) await unlessAborted(missing.makeUp(), signal);
  }

  /** These segments are asked; those that lack vectors get them by and by. */
  lookAfter(rows: readonly SegmentRow[]): void {
    this.#missing?.lookAfter(rows);
  }

  /** What makes vectors answered a question. */
  providerAnswered(): void {
    this.#missing?.providerAnswered();
  }

  async add(blobs: readonly Blob[]): Promise<void> {
    const fresh = blobs.filter(({ blobName }) => !this.#pending.has(blobName));
    if (fresh.length === 0) return;
    if (this.#isClosed) throw new DragomanError('cancelled', 'The index is closed.');
    for (const { blobName } of fresh) this.#pending.add(blobName);
    clearTimeout(this.#pause);
    this.#adding++;
    const names = fresh.map(({ blobName }) => blobName);
    // Noted together with the call: the thread does what it is told in the same order.
    if (this.#inBuilder.length === 0) this.#firstAt = performance.now();
    for (const name of names) this.#inBuilder.push(name);
    const lease = this.#segments.leases?.take(names);
    if (lease !== undefined) this.#leases.push(lease);
    if (this.#vectors !== undefined) void this.#heedOthers();
    try {
      const { failed, waitingBytes } = await this.#worker.call('add', { blobs: fresh });
      await this.#abandon(failed);
      if (waitingBytes > this.#mostWaitingBytes) await this.#enqueue(() => this.#finish());
    } catch (error) {
      const lost = indexError('built', error);
      const given = new Set(names);
      this.#inBuilder = this.#inBuilder.filter((name) => !given.has(name));
      this.#pending.settle(names, lost);
      void lease?.release();
      throw lost;
    } finally {
      this.#adding--;
      this.#finishSoon();
    }
  }

  async whenIndexed(blobNames: readonly string[], signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await unlessAborted(this.#whenAll(blobNames), signal);
  }

  /** Takes in what is stored and in no segment: what a process left undone, or what a lost segment held. */
  indexLeftOver(): Promise<void> {
    this.#leftOver ??= this.#addLeftOver().finally(() => (this.#leftOver = undefined));
    return this.#leftOver;
  }

  /** Rewrites segments of whose blobs many are gone, deletes those that hold none, and files that nobody refers to. */
  compact(): Promise<void> {
    return this.#enqueue(async () => {
      const live = await this.#segments.liveCounts();
      for (const row of await this.#segments.list())
        if ((live.get(row.id) ?? 0) < row.files * LEAST_LIVE) await this.#merge([row]);
      await this.#segments.forgetPieces();
      await this.#segments.sweep();
    });
  }

  /** Deletes files here that nobody refers to, and copies that are too many. */
  sweepFiles(): Promise<void> {
    return this.#enqueue(() => this.#segments.sweep());
  }

  /** What waits for vectors is not waited for: it is stored, and the next start takes it in. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.abort(new DragomanError('cancelled', 'The index is closed.'));
    clearTimeout(this.#pause);
    await this.#leftOver?.catch(() => {});
    await this.#missing?.close();
    await this.#last.catch(() => {});
    if (this.#inBuilder.length > 0) await this.#finish().catch(() => {});
    this.#segments.leases?.close();
    await this.#worker.close();
  }

  async #addLeftOver(): Promise<void> {
    let after = '';
    for (;;) {
      const names = await this.#blobs.unindexed(LEFT_OVER_BATCH, after);
      if (names.length === 0 || this.#isClosed) return;
      after = names.at(-1)!;
      const theirs = await this.#builtElsewhere(names);
      void (await this.#readBack(names.filter((name) => !theirs.has(name))));
    }
  }

  /** Whatever of these is in no segment is taken in first. What is waited for is noted before anything can settle it. */
  async #whenAll(blobNames: readonly string[]): Promise<void> {
    const waiting = this.#pending.promisesOf(blobNames);
    const others = blobNames.filter((name) => !this.#pending.has(name));
    if (others.length > 0) {
      // Where many are missing they are being read back already.
      if (others.length > LEFT_OVER_BATCH) await this.#leftOver?.catch(() => {});
      waiting.push(...this.#pending.promisesOf(others));
      const lost = await this.#blobs.unindexedAmong(others.filter((name) => !this.#pending.has(name)));
      const theirs = await this.#builtElsewhere(lost, this.#patience.isAsked);
      const own = lost.filter((name) => !theirs.has(name));
      for (let start = 0; start < own.length; start += LEFT_OVER_BATCH)
        waiting.push(...(await this.#readBack(own.slice(start, start + LEFT_OVER_BATCH))));
      if (theirs.size > 0) waiting.push(this.#whenBuiltElsewhere([...theirs]));
    }
    await Promise.all(waiting);
  }

  async #builtElsewhere(names: readonly string[], isAsked = false): Promise<Set<string>> {
    return (await this.#segments.leases?.heldElsewhere(names, { isAsked })) ?? new Set();
  }

  /** A question at another server waits no longer for vectors that are being made here than one here does. */
  async #heedOthers(): Promise<void> {
    const leases = this.#segments.leases;
    if (leases === undefined || this.#isHeeding) return;
    this.#isHeeding = true;
    const pause = () => delay(WANTED_MS, undefined, { signal: this.#closing.signal, ref: false });
    try {
      while (leases.areHeld) {
        await pause();
        if (await leases.areWanted())
          await this.#patience.whileAsked(async () => {
            while (await leases.areWanted()) await pause();
          });
      }
    } catch {
      // The index is closed, or the database cannot be had, and then nobody waits.
    } finally {
      this.#isHeeding = false;
    }
  }

  /** Another server builds these; what it gives up is built here. */
  async #whenBuiltElsewhere(names: readonly string[]): Promise<void> {
    await delay(ELSEWHERE_MS, undefined, { signal: this.#closing.signal, ref: false });
    await this.#whenAll(await this.#blobs.unindexedAmong(names));
  }

  /** Takes stored blobs in that are not on their way yet; the promises of those that are now. */
  async #readBack(names: readonly string[]): Promise<Promise<void>[]> {
    const contents = await this.#blobs.contents(names.filter((name) => !this.#pending.has(name)));
    const added = this.add([...contents].map(([blobName, { path, text }]) => ({ blobName, path, content: text })));
    const waiting = this.#pending.promisesOf(names);
    await added;
    return waiting;
  }

  /** The builder cannot make anything of these. */
  async #abandon(failed: readonly { blobName: string; reason: string }[]): Promise<void> {
    if (failed.length === 0) return;
    for (const facts of failed) this.#log.warn(facts, 'a blob cannot be indexed');
    const names = failed.map(({ blobName }) => blobName);
    const waiters = this.#pending.take(names);
    try {
      await this.#blobs.markIndexed(UNREADABLE, names);
    } finally {
      for (const { resolve } of waiters) resolve();
    }
  }

  #finishSoon(): void {
    clearTimeout(this.#pause);
    if (this.#inBuilder.length === 0 || this.#isClosed) return;
    const finish = () => void this.#enqueue(() => this.#finish()).catch(() => {});
    if (performance.now() - this.#firstAt > MOST_WAIT_MS) {
      this.#firstAt = Infinity; // It is on its way.
      finish();
    } else if (this.#adding === 0) {
      this.#pause = setTimeout(finish, Math.min(MOST_PAUSE_MS, LEAST_PAUSE_MS + this.#inBuilder.length));
    }
  }

  async #finish(): Promise<void> {
    const names = this.#inBuilder;
    if (names.length === 0) return;
    this.#inBuilder = [];
    const leases = this.#leases.splice(0);
    const id = this.#segments.newSegment();
    try {
      const { blobNames, bytes, writtenAt, vectors } = await this.#write(this.#segments.fileOf(id));
      const held = unpackNames(blobNames);
      if (held.length > 0) await this.#segments.register({ id, files: held.length, bytes, vectors }, held);
      this.#writtenAt.set(id, writtenAt);
      if (held.length > 0 && vectors === '') this.#missing?.soon();
      this.#log.debug({ segment: id, files: held.length, bytes }, 'a segment was written');
      this.#pending.settle(names);
    } catch (error) {
      this.#segments.remove([id]);
      const lost = indexError('written', error);
      if (error !== this.#closing.signal.reason)
        this.#log.warn(
          { reason: reasonOf(error), blobs: names.length },
          'a segment could not be written; its blobs are tried again later',
        );
      this.#pending.settle(names, lost);
      throw lost;
    } finally {
      for (const lease of leases) void lease.release();
    }
    const rows = await this.#segments.list();
    const merge = this.#missing === undefined ? chooseMerge(rows) : this.#missing.chooseMerge(rows);
    if (merge.length > 1) await this.#merge(merge);
  }

  /**
   * Where vectors are made elsewhere, the thread is asked twice: what they are needed for, and to write the segment with them.
   * What is added between the two is in the next segment. A thread that ends in between fails the second.
   */
  async #write(file: string): Promise<BuildMethods['finish']['output']> {
    const elsewhere = this.#vectors;
    if (elsewhere === undefined) return this.#worker.call('finish', { file });
    return this.#worker.hold(async () => {
      const texts = await this.#worker.call('seal', undefined);
      const { made: vectors } = await this.#patience.whileMade((hurry) => elsewhere.of(texts, { hurry }));
      const transfer = [vectors.chunks.buffer, vectors.paths.buffer];
      return this.#worker.call('finish', { file, vectors }, transfer);
    });
  }

  async #merge(rows: readonly SegmentRow[]): Promise<void> {
    const old = rows.map(({ id }) => id);
    const names = await this.#segments.blobNames(old);
    const id = this.#segments.newSegment();
    const into = this.#segments.fileOf(id);
    try {
      const merged = names.length === 0 ? NOTHING : await this.#mergeFiles(old, into, names);
      if ('broken' in merged) {
        await this.dropBroken(merged.broken);
        return;
      }
      const { files, bytes, writtenAt, vectors } = merged;
      this.#writtenAt.set(id, writtenAt);
      for (const one of old) this.#writtenAt.delete(one);
      if (await this.#segments.replace(old, { id, files, bytes, vectors })) this.#segments.remove(old);
      else this.#segments.remove([id]);
      this.#log.debug({ segment: id, merged: old.length, files, bytes }, 'segments were merged');
    } catch (error) {
      this.#segments.remove([id]); // The old ones stay in force.
      if (error === this.#closing.signal.reason) return;
      this.#log.warn({ reason: reasonOf(error) }, 'segments could not be merged');
    }
  }

  /** A copy that is damaged is fetched once more before its segment counts as broken. */
  async #mergeFiles(
    old: readonly string[],
    into: string,
    names: readonly string[],
  ): Promise<BuildMethods['merge']['output']> {
    const files = old.map((one) => this.#segments.fileOf(one));
    for (;;) {
      await this.#segments.fetch(old, this.#closing.signal);
      const merged = await this.#worker.call('merge', { files, into, kept: packNames(names) });
      if (!('broken' in merged)) return merged;
      const lost = merged.broken.filter(({ segment }) => !this.#segments.renew(this.#segments.idOf(segment)));
      if (lost.length > 0) return { broken: lost };
    }
  }

  /** Files of segments are missing or damaged: what they held is indexed again. One that is not in force any more is let be. */
  async dropBroken(broken: readonly BrokenSegment[]): Promise<void> {
    for (const { segment, reason } of broken)
      if (await this.#segments.drop(this.#segments.idOf(segment)))
        this.#log.warn({ segment, reason }, 'a piece of the index cannot be read and is built again');
    // Whoever asks for one of its blobs waits for it; the others come in the background.
    this.indexLeftOver().catch((error: unknown) =>
      this.#log.warn({ reason: reasonOf(error) }, 'stored blobs could not be indexed'),
    );
  }

  /** One thing after the other: what is written, merged and rewritten never crosses. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    const next = this.#last.then(task);
    this.#last = next.catch(() => {});
    return next;
  }

  /** The thread is gone, and with it what it had taken in. In good order that is nothing. */
  #lostAll(): void {
    const names = this.#inBuilder;
    this.#inBuilder = [];
    for (const lease of this.#leases.splice(0)) void lease.release();
    if (names.length > 0)
      this.#pending.settle(names, new DragomanError('unavailable', 'The thread that builds the index ended.'));
  }
}

const NOTHING = { files: 0, bytes: 0, writtenAt: 0, vectors: '' };

function indexError(what: 'built' | 'written', error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  if (isFullDisk(error)) return diskFullError(error);
  return new DragomanError('unavailable', `The index could not be ${what}: ${reasonOf(error)}`, { cause: error });
}
