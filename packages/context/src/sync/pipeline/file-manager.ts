import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol/error';
import type { Blob, BlobServer, MissingBlobs } from '../../blob-server.ts';
import { DEFAULT_MAX_BLOB_BYTES } from '../filter/check-content.ts';
import { REJECTED_BY_INTAKE } from '../filter/path-info.ts';
import { readBlob } from '../walk/read-blob.ts';
import type { ScanBatch } from '../walk/scan-folder.ts';
import { type Clock, systemClock } from './clock.ts';
import { FailedPaths } from './failed-paths.ts';
import { FileMetrics } from './file-metrics.ts';
import { LEFT_OUT_COUNTERS, leftOutReason } from './left-out.ts';
import { lookAt } from './look-at.ts';
import type { PathMap } from './path-map.ts';
import { type PathInWork, PathsInWork } from './paths-in-work.ts';
import { isPassing, retryPassing } from './retry-passing.ts';
import type { SyncLog } from './sync-log.ts';
import { uploadBatch } from './upload-batch.ts';

/** Where the folders are that files are given in from. */
export interface PathHandler {
  /** Absolute; undefined when the folder is no longer followed. */
  rootOf(folderId: number): string | undefined;
}

export interface FileManagerOptions {
  log: SyncLog;
  clock?: Clock;
  /** How many batches are on their way to the server at once. */
  maxUploads?: number;
  maxBlobBytes?: number;
  /** Called after each batch. */
  onProgress?: () => void;
}

const MIN_PROBE_BATCH = 1;
const MAX_PROBE_BATCH = 1_000;
const MAX_UPLOAD_BLOBS = 128;
const MAX_UPLOAD_BYTES = 1_000_000;
const PROBE_RETRY_MS = 3_000;
const PROBE_BACK_OFF_AFTER_MS = 60_000;
const PROBE_BACK_OFF_MS = 60_000;
const MAX_PROBES = 2;
const DEFAULT_MAX_UPLOADS = 4;
/** How often a blob may be uploaded that the server then says it does not know. */
const MAX_UPLOADS_OF_ONE = 3;
const UPLOAD_FAILED = 'Upload failed';

/**
 * Takes files to the server in three stages: calculate the name, probe whether the server has it, upload what it has not.
 *
 * The first is the scan, which hands its names in, batch by batch; the others have a queue each. Per file there is one
 * small object and no promise. What the server can find ends up confirmed in the path map, whatever else happens: one bad file stops no other, and a server
 * that is away only means that everything is asked again the next time.
 */
export class FileManager {
  readonly workspaceName: string;
  readonly probeBatchSize: number;
  readonly metrics = new FileMetrics();
  readonly #server: BlobServer;
  readonly #pathHandler: PathHandler;
  readonly #pathMap: PathMap;
  readonly #log: SyncLog;
  readonly #clock: Clock;
  readonly #maxUploads: number;
  readonly #onProgress: () => void;
  readonly #stopping = new AbortController();
  readonly #inWork = new PathsInWork(this.#stopping.signal);
  readonly #timers = new Set<() => void>();
  readonly #failures = new FailedPaths();
  #maxBlobBytes: number;
  #toProbe: PathInWork[] = [];
  #toUpload: PathInWork[] = [];
  #isKicked = false;
  #probes = 0;
  #uploads = 0;
  #uploadedBytes = 0;
  #trouble: Error | undefined;

  constructor(
    workspaceName: string,
    server: BlobServer,
    pathHandler: PathHandler,
    pathMap: PathMap,
    probeBatchSize: number | undefined,
    options: FileManagerOptions,
  ) {
    this.workspaceName = workspaceName;
    this.#server = server;
    this.#pathHandler = pathHandler;
    this.#pathMap = pathMap;
    this.probeBatchSize = Math.max(MIN_PROBE_BATCH, Math.min(probeBatchSize ?? MAX_PROBE_BATCH, MAX_PROBE_BATCH));
    this.#log = options.log;
    this.#clock = options.clock ?? systemClock;
    this.#maxUploads = options.maxUploads ?? DEFAULT_MAX_UPLOADS;
    this.#maxBlobBytes = options.maxBlobBytes ?? DEFAULT_MAX_BLOB_BYTES;
    this.#onProgress = options.onProgress ?? (() => {});
  }

  /** How many paths are on their way. */
  get inWork(): number {
    return this.#inWork.count;
  }

  /** How many of them are waited for. */
  get awaited(): number {
    return this.#inWork.awaited;
  }

  /** How many paths were ever on their way. */
  get taken(): number {
    return this.#inWork.taken;
  }

  get uploadedBytes(): number {
    return this.#uploadedBytes;
  }

  set maxBlobBytes(bytes: number) {
    this.#maxBlobBytes = bytes;
  }

  /** Files as a scan found them; their names are known already. Those that did not change are only counted. */
  ingestScanned(folderId: number, { files, unchanged, rejected, timings }: ScanBatch): void {
    const start = performance.now();
    const startTime = this.#clock.now();
    this.metrics.count('mtime cache hits', unchanged);
    this.metrics.count('mtime cache misses', files.length);
    this.metrics.count('not plain files', rejected.filter(({ type }) => type === 'Other').length);
    this.metrics.timings.stat += timings.stat;
    this.metrics.timings.calculate += timings.calculate;
    for (const file of files) {
      const { path, mtimeMs } = file;
      const { blobName, status, leftOut } = this.#pathMap.set(folderId, path, file);
      if (leftOut !== undefined || status > 0) {
        this.#inWork.drop(folderId, path);
        this.#failures.forget(folderId, path);
        if (leftOut !== undefined) this.metrics.count(LEFT_OUT_COUNTERS[leftOut]);
      } else if (blobName !== undefined && this.#isToBeProbed(folderId, path, blobName)) {
        this.metrics.count('paths accepted');
        this.#toProbe.push(this.#inWork.take({ folderId, relPath: path, blobName, mtime: mtimeMs, startTime }));
      }
    }
    this.#kick();
    this.metrics.time('ingestPath', start);
  }

  /** Whatever of this folder is not confirmed and not in work, because of a restart or because the server was away. */
  ingestUnconfirmed(folderId: number): void {
    const startTime = this.#clock.now();
    for (const [relPath, { blobName, status, mtimeMs }] of this.#pathMap.entries(folderId)) {
      if (status > 0 || blobName === undefined || !this.#isToBeProbed(folderId, relPath, blobName)) continue;
      this.#toProbe.push(this.#inWork.take({ folderId, relPath, blobName, mtime: mtimeMs, startTime }));
    }
    this.#kick();
  }

  /** A path that is no longer followed. */
  removePath(folderId: number, relPath: string): void {
    this.#inWork.drop(folderId, relPath);
    this.#failures.forget(folderId, relPath);
    this.#pathMap.delete(folderId, relPath);
  }

  /** Paths of this folder that have no blob on the server, with the reason. */
  *leftOut(folderId: number): Generator<{ path: string; reason: string }> {
    for (const [path, { leftOut }] of this.#pathMap.entries(folderId))
      if (leftOut !== undefined) yield { path, reason: leftOutReason(leftOut) };
    for (const [path, { reason }] of this.#failures.entries(folderId)) yield { path, reason };
  }

  /**
   * Resolves when everything that is in work now has come to its end: confirmed, left out, failed, or dropped. A blob
   * the server has had for a minute without indexing it is not waited for.
   */
  whenSettled(signal?: AbortSignal): Promise<void> {
    return this.#inWork.whenSettled(signal);
  }

  /** What kept the server from being asked. */
  get trouble(): Error | undefined {
    return this.#trouble;
  }

  /** The same, and forgets it. */
  takeTrouble(): Error | undefined {
    const trouble = this.#trouble;
    this.#trouble = undefined;
    return trouble;
  }

  stop(): void {
    this.#stopping.abort();
    for (const callOff of this.#timers) callOff();
    this.#timers.clear();
    this.#toProbe = [];
    this.#toUpload = [];
  }

  /** Work begins in the next turn, so that what is given in together is probed together. */
  #kick(): void {
    if (this.#isKicked || this.#stopping.signal.aborted) return;
    this.#isKicked = true;
    setImmediate(() => {
      this.#isKicked = false;
      this.#startProbes();
      this.#startUploads();
    });
  }

  /** Stage 2: full batches, and what there is when no more names were handed in with it. */
  #startProbes(): void {
    while (this.#probes < MAX_PROBES && this.#toProbe.length > 0) {
      const batch = this.#toProbe.splice(0, this.probeBatchSize).filter((item) => item.isCurrent);
      if (batch.length === 0) continue;
      this.#probes++;
      void this.#probe(batch).finally(() => {
        this.#probes--;
        this.#kick();
        this.#onProgress();
      });
    }
  }

  async #probe(batch: readonly PathInWork[]): Promise<void> {
    const blobNames = [...new Set(batch.map((item) => item.blobName))];
    this.#log.trace({ blobNames: blobNames.length }, 'probe begins');
    const start = performance.now();
    let missing: MissingBlobs;
    try {
      missing = await retryPassing(() => this.#server.findMissing(blobNames, this.#stopping.signal), {
        clock: this.#clock,
        signal: this.#stopping.signal,
        onRetry: (error) => this.#log.debug({ err: error }, 'probe is tried again'),
      });
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        this.#log.error({ err: error, blobNames: blobNames.length }, 'a batch could not be probed');
      this.#giveUp(batch, error);
      return;
    }
    this.metrics.time('probe', start);
    this.metrics.count('probe batches');
    this.metrics.count('blob names probed', blobNames.length);

    const unknown = new Set(missing.unknown);
    const nonindexed = new Set(missing.nonindexed);
    const waiting: PathInWork[] = [];
    for (const item of batch) {
      if (!item.isCurrent) continue;
      if (unknown.has(item.blobName) && item.uploads >= MAX_UPLOADS_OF_ONE) this.#fail(item, undefined);
      else if (unknown.has(item.blobName)) this.#toUpload.push(item);
      else if (nonindexed.has(item.blobName)) waiting.push(item);
      else this.#confirm(item);
    }
    this.#awaitIndex(waiting);
  }

  /** Stage 3: as many batches as may be under way, one a turn. What a batch holds is read when it leaves. */
  #startUploads(): void {
    while (this.#uploads < this.#maxUploads && this.#toUpload.length > 0) {
      // A batch that could still grow waits for the names that are being probed.
      if (this.#toUpload.length < MAX_UPLOAD_BLOBS && this.#uploads > 0 && this.#probes > 0) return;
      const batch = this.#readBatch();
      if (batch.length === 0) continue;
      this.#uploads++;
      void this.#upload(batch).finally(() => {
        this.#uploads--;
        this.#kick();
        this.#onProgress();
      });
      this.#kick();
      return;
    }
  }

  /** The next files that fit into one batch together, read now. One that is larger than a batch goes alone. */
  #readBatch(): { item: PathInWork; blob: Blob; bytes: number }[] {
    const batch: { item: PathInWork; blob: Blob; bytes: number }[] = [];
    let total = 0;
    let taken = 0;
    for (const item of this.#toUpload) {
      if (batch.length === MAX_UPLOAD_BLOBS) break;
      if (item.isCurrent) {
        const expected = this.#pathMap.get(item.folderId, item.relPath)?.size ?? 0;
        if (batch.length > 0 && total + expected > MAX_UPLOAD_BYTES) break;
        const blob = this.#read(item);
        const bytes = blob === undefined ? 0 : Buffer.byteLength(blob.content);
        if (batch.length > 0 && total + bytes > MAX_UPLOAD_BYTES) break; // It has grown; it is read again then.
        total += bytes;
        if (blob !== undefined) batch.push({ item, blob, bytes });
      }
      taken++;
    }
    this.#toUpload.splice(0, taken);
    return batch;
  }

  /** A file as it is now. One that was written to since it was named goes under its new name. */
  #read(item: PathInWork): Blob | undefined {
    const { folderId, relPath } = item;
    const root = this.#pathHandler.rootOf(folderId);
    if (root === undefined) {
      this.#inWork.end(item);
      return undefined;
    }
    const start = performance.now();
    const stats = lookAt(join(root, relPath));
    const read = readBlob(root, relPath, { maxBytes: this.#maxBlobBytes });
    this.metrics.time('read', start);
    this.metrics.count('files read');
    const look = {
      size: stats?.size ?? 0,
      mtimeMs: stats?.mtimeMs ?? 0,
      ctimeMs: stats?.ctimeMs ?? 0,
      inode: stats?.ino ?? 0,
      isSettled: false,
    };
    if (read.leftOut !== undefined) {
      if (read.leftOut === 'gone') this.#pathMap.delete(folderId, relPath);
      else this.#pathMap.set(folderId, relPath, { ...look, blobName: undefined, leftOut: read.leftOut });
      this.metrics.count(LEFT_OUT_COUNTERS[read.leftOut]);
      this.#inWork.end(item);
      return undefined;
    }
    if (read.blobName !== item.blobName) {
      item.blobName = read.blobName;
      item.mtime = look.mtimeMs;
      this.#pathMap.set(folderId, relPath, { ...look, blobName: read.blobName, leftOut: undefined });
    }
    return { blobName: read.blobName, path: relPath, content: read.content };
  }

  async #upload(batch: readonly { item: PathInWork; blob: Blob; bytes: number }[]): Promise<void> {
    const start = performance.now();
    const { uploaded, failed, trouble } = await uploadBatch(
      batch.map(({ blob }) => blob),
      { server: this.#server, clock: this.#clock, log: this.#log, signal: this.#stopping.signal },
    );
    this.metrics.time('upload', start);
    this.metrics.count('blobs uploaded', uploaded.size);

    const waiting: PathInWork[] = [];
    const untried: PathInWork[] = [];
    for (const { item, blob, bytes } of batch) {
      const given = uploaded.get(blob.blobName);
      if (given !== undefined) this.#uploadedBytes += bytes;
      if (!item.isCurrent) continue;
      if (given !== undefined) {
        this.#noteUploaded(item, given);
        waiting.push(item);
      } else if (failed.has(blob.blobName) && trouble === undefined) {
        this.#fail(item, isPassing(failed.get(blob.blobName)) ? undefined : blob.blobName);
      } else {
        untried.push(item);
      }
    }
    if (untried.length > 0) this.#giveUp(untried, trouble);
    this.#awaitIndex(waiting);
  }

  /** What counts from here on is the name the server gave it. */
  #noteUploaded(item: PathInWork, given: string): void {
    const { folderId, relPath } = item;
    if (given !== item.blobName) {
      const entry = this.#pathMap.get(folderId, relPath);
      this.#log.debug({ path: relPath, expected: item.blobName, given }, 'the server gave a blob another name');
      if (entry !== undefined) this.#pathMap.set(folderId, relPath, { ...entry, blobName: given });
      item.blobName = given;
    }
    item.uploads++;
    item.hasAwaitedIndex = false;
    item.startTime = this.#clock.now();
  }

  /** These are on the server and not to be found yet. They are probed again when it says so, or after a while. */
  #awaitIndex(items: readonly PathInWork[]): void {
    if (this.#server.whenIndexed === undefined) {
      this.#probeLater(items);
      return;
    }
    const fresh = items.filter((item) => !item.hasAwaitedIndex);
    const given = items.filter((item) => item.hasAwaitedIndex);
    // The server had said that these can be found, or were given up.
    for (const item of given) this.#inWork.becomePatient(item);
    this.#probeLater(given);
    if (fresh.length === 0) return;

    for (const item of fresh) item.hasAwaitedIndex = true;
    let isOver = false;
    const once = (go: (waited: readonly PathInWork[]) => void) => {
      if (isOver) return;
      isOver = true;
      callOff();
      go(fresh);
    };
    // Whatever becomes of its promise, such a server is not waited for longer than one that makes none.
    const callOff = this.#after(PROBE_BACK_OFF_AFTER_MS, () => once((waited) => this.#probeAgain(waited)));
    const names = [...new Set(fresh.map((item) => item.blobName))];
    this.#server.whenIndexed(names, this.#stopping.signal).then(
      () => once((waited) => this.#probeAgain(waited)),
      (error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        this.#log.debug({ err: error }, 'waiting for the index failed');
        once((waited) => this.#giveUp(waited, error));
        this.#onProgress();
      },
    );
  }

  #probeLater(items: readonly PathInWork[]): void {
    const now = this.#clock.now();
    const isOld = (item: PathInWork) => now - item.startTime >= PROBE_BACK_OFF_AFTER_MS;
    const old = items.filter(isOld);
    const young = items.filter((item) => !isOld(item));
    for (const item of old) this.#inWork.becomePatient(item);
    if (old.length > 0) this.#after(PROBE_BACK_OFF_MS, () => this.#probeAgain(old));
    if (young.length > 0) this.#after(PROBE_RETRY_MS, () => this.#probeAgain(young));
  }

  #probeAgain(items: readonly PathInWork[]): void {
    for (const item of items) if (item.isCurrent) this.#toProbe.push(item);
    this.#kick();
  }

  /** The server is away, or refuses us. Everything that waits stays unconfirmed and is asked again the next time. */
  #giveUp(items: readonly PathInWork[], error: unknown): void {
    this.#trouble ??=
      error instanceof Error ? error : new DragomanError('internal', 'The blob server failed.', { cause: error });
    const waiting = [...items, ...this.#toProbe, ...this.#toUpload];
    this.#toProbe = [];
    this.#toUpload = [];
    for (const item of waiting) if (item.isCurrent) this.#inWork.end(item);
  }

  /** `refused` is the blob that the server will never take; without one it is worth another try. */
  #fail(item: PathInWork, refused: string | undefined): void {
    const reason = refused === undefined ? UPLOAD_FAILED : REJECTED_BY_INTAKE.format();
    this.#failures.note(item.folderId, item.relPath, { reason, refused });
    this.#inWork.end(item);
  }

  #confirm(item: PathInWork): void {
    this.#pathMap.confirm(item.folderId, item.relPath, item.blobName);
    this.#failures.forget(item.folderId, item.relPath);
    this.#inWork.end(item);
  }

  /** Not when it is on its way already, nor when the server has refused this very blob. */
  #isToBeProbed(folderId: number, relPath: string, blobName: string): boolean {
    if (this.#inWork.get(folderId, relPath)?.blobName === blobName) return false;
    return this.#failures.refused(folderId, relPath) !== blobName;
  }

  #after(ms: number, action: () => void): () => void {
    if (this.#stopping.signal.aborted) return () => {};
    const callOff = this.#clock.after(ms, () => {
      this.#timers.delete(callOff);
      action();
    });
    this.#timers.add(callOff);
    return () => {
      this.#timers.delete(callOff);
      callOff();
    };
  }
}
