import { DragomanError } from '@dragoman/protocol/error';
import type { Blob, BlobServer, MissingBlobs } from '../../blob-server.ts';
import { blobName } from '../blob-name.ts';

export interface MemoryBlobServerOptions {
  /** Blobs can be found as soon as they are stored; else `index` says when. */
  isInstant?: boolean;
  /** It can be waited for with `whenIndexed`. */
  canTell?: boolean;
  maxBytes?: number;
}

type Hook = (blobs: readonly Blob[]) => unknown;

/**
 * A blob server in memory that holds its clients to the protocol: at most 1,000 names a probe, 128 blobs and 1,000,000
 * bytes an upload unless one blob is larger, and names that are what they should be.
 */
export class MemoryBlobServer implements BlobServer {
  readonly stored = new Map<string, Blob>();
  readonly indexed = new Set<string>();
  /** Every call, in order. */
  readonly probes: string[][] = [];
  readonly uploads: Blob[][] = [];
  maxUploadsAtOnce = 0;
  /** Looked at before each call: what it throws is the answer, and what it returns is waited for. */
  onProbe: () => unknown = () => {};
  onUpload: Hook = () => {};
  /** How many of a batch's names are answered. */
  answered: (blobs: readonly Blob[]) => number = (blobs) => blobs.length;
  /** The name the server gives a blob. */
  given: (blob: Blob) => string = (blob) => blob.blobName;
  readonly whenIndexed?: (blobNames: readonly string[], signal?: AbortSignal) => Promise<void>;
  readonly #isInstant: boolean;
  readonly #maxBytes: number;
  readonly #waiters = new Set<() => void>();
  readonly #watchers = new Set<() => void>();
  #uploading = 0;

  constructor({ isInstant = true, canTell = false, maxBytes = 1_048_576 }: MemoryBlobServerOptions = {}) {
    this.#isInstant = isInstant;
    this.#maxBytes = maxBytes;
    if (canTell) this.whenIndexed = (names, signal) => this.#untilIndexed(names, signal);
  }

  async maxBlobBytes(): Promise<number> {
    return this.#maxBytes;
  }

  async findMissing(blobNames: readonly string[]): Promise<MissingBlobs> {
    if (blobNames.length > 1_000) throw new DragomanError('bad-request', `${blobNames.length} names in a probe`);
    if (new Set(blobNames).size !== blobNames.length) throw new DragomanError('bad-request', 'a name twice in a probe');
    this.probes.push([...blobNames]);
    this.#note();
    await this.onProbe();
    return {
      unknown: blobNames.filter((name) => !this.stored.has(name)),
      nonindexed: blobNames.filter((name) => this.stored.has(name) && !this.indexed.has(name)),
    };
  }

  async batchUpload(blobs: readonly Blob[]): Promise<string[]> {
    this.uploads.push([...blobs]);
    this.maxUploadsAtOnce = Math.max(this.maxUploadsAtOnce, ++this.#uploading);
    this.#note();
    try {
      this.#check(blobs);
      await this.onUpload(blobs);
      const taken = blobs.slice(0, this.answered(blobs));
      return taken.map((blob) => {
        const name = this.given(blob);
        this.stored.set(name, blob);
        if (this.#isInstant) this.indexed.add(name);
        return name;
      });
    } finally {
      this.#uploading--;
    }
  }

  /** Makes these findable, or all that are stored. */
  index(blobNames: Iterable<string> = this.stored.keys()): void {
    for (const name of blobNames) this.indexed.add(name);
    for (const look of this.#waiters) look();
  }

  /** Resolves when what the test waits for has come about by a call. */
  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  #note(): void {
    for (const look of this.#watchers) look();
  }

  #check(blobs: readonly Blob[]): void {
    const bytes = blobs.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (blobs.length > 128) throw new DragomanError('bad-request', `${blobs.length} blobs in an upload`);
    if (bytes > 1_000_000 && blobs.length > 1) throw new DragomanError('too-large', `${bytes} bytes in an upload`);
    for (const blob of blobs) {
      if (Buffer.byteLength(blob.content) > this.#maxBytes) throw new DragomanError('too-large', `${blob.path}`);
      if (blobName(blob.path, blob.content) !== blob.blobName)
        throw new DragomanError('bad-request', `${blob.path} is not named ${blob.blobName}`);
    }
  }

  #untilIndexed(names: readonly string[], signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!names.every((name) => this.indexed.has(name))) return;
        this.#waiters.delete(look);
        resolve();
      };
      signal?.addEventListener('abort', () => reject(new DragomanError('cancelled', 'stopped')));
      this.#waiters.add(look);
      look();
    });
  }
}

/** A failure that passes, and one that does not. */
export const passing = (message = 'busy') => new DragomanError('unavailable', message, { isRetryable: true });
export const lasting = (message = 'no') => new DragomanError('bad-request', message);
