import { createHash } from 'node:crypto';
import type { BlobView } from '../../blob-view.ts';

/** How much of a name says which bucket it is in: 256 buckets. */
const BUCKET_CHARS = 2;

interface Bucket {
  /** How many files have each name; more than one only where two folders are synced together. */
  counts: Map<string, number>;
  digest: Buffer | undefined;
}

/**
 * A changing set of blob names that can be looked at any time.
 *
 * The key is a hash over the sorted names, so that equal sets have equal keys in every process. It is put together from
 * buckets: after an edit two of 256 are sorted and hashed again, not all 30,000 names.
 */
export class BlobSet {
  readonly #buckets = new Map<string, Bucket>();
  #view: BlobView | undefined;
  #size = 0;

  /** How many names are in it. */
  get size(): number {
    return this.#size;
  }

  add(blobName: string): void {
    const bucket = this.#bucketOf(blobName);
    const count = bucket.counts.get(blobName) ?? 0;
    bucket.counts.set(blobName, count + 1);
    if (count > 0) return;
    this.#size++;
    this.#noteChange(bucket);
  }

  delete(blobName: string): void {
    const bucket = this.#bucketOf(blobName);
    const count = bucket.counts.get(blobName);
    if (count === undefined) return;
    if (count > 1) {
      bucket.counts.set(blobName, count - 1);
      return;
    }
    bucket.counts.delete(blobName);
    this.#size--;
    this.#noteChange(bucket);
  }

  /** The set as it is now; later changes do not reach it. */
  view(): BlobView {
    this.#view ??= this.#takeView();
    return this.#view;
  }

  #takeView(): BlobView {
    const whole = createHash('sha256');
    const blobNames = new Set<string>();
    for (const prefix of [...this.#buckets.keys()].sort()) {
      const bucket = this.#buckets.get(prefix)!;
      if (bucket.counts.size === 0) continue;
      bucket.digest ??= createHash('sha256')
        .update([...bucket.counts.keys()].sort().join('\n'))
        .digest();
      whole.update(bucket.digest);
      for (const blobName of bucket.counts.keys()) blobNames.add(blobName);
    }
    return { key: whole.digest('hex'), blobNames };
  }

  #bucketOf(blobName: string): Bucket {
    const prefix = blobName.slice(0, BUCKET_CHARS);
    let bucket = this.#buckets.get(prefix);
    if (bucket === undefined) {
      bucket = { counts: new Map(), digest: undefined };
      this.#buckets.set(prefix, bucket);
    }
    return bucket;
  }

  #noteChange(bucket: Bucket): void {
    bucket.digest = undefined;
    this.#view = undefined;
  }
}
