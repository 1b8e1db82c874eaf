import type { Blob } from '../../blob-server.ts';
import type { BlobStore } from './blob-store.ts';
import { checkBlob } from './check-blob.ts';
import { whyLeftOut } from './left-out.ts';

/** A call with more is refused from there on: the largest batch of a known client has 1,000. */
const MAX_BLOBS_PER_CALL = 1_000;
/** How many are packed and written together. */
const SLICE = 256;

export interface ToldBlob {
  /** Empty where the entry had none that can be shown. */
  blobName: string;
  path: string;
  reason: string;
}

export interface TakenBlobs {
  /** The name of each entry by its position; undefined for one that was not taken. */
  names: (string | undefined)[];
  rejected: ToldBlob[];
  /** Taken in name only: these count as indexed, and nothing of their content is kept. */
  leftOut: ToldBlob[];
  /** What was taken and cannot be found yet: the index has to be given these. */
  nonindexed: Blob[];
}

/** An upload: every entry is checked by itself, and the good ones are kept. */
export async function takeBlobs(
  blobs: BlobStore,
  userId: string,
  entries: readonly unknown[],
  maxBlobBytes?: number,
): Promise<TakenBlobs> {
  const names: (string | undefined)[] = [];
  const rejected: ToldBlob[] = [];
  const leftOut: ToldBlob[] = [];
  const taken: Blob[] = [];
  const namesOnly: Blob[] = [];
  for (const [position, entry] of entries.entries()) {
    const checked = position < MAX_BLOBS_PER_CALL ? checkBlob(entry, maxBlobBytes) : { reason: TOO_MANY };
    if ('reason' in checked) {
      rejected.push({ ...labels(entry), reason: checked.reason });
      names.push(undefined);
    } else {
      const reason = whyLeftOut(checked.blob);
      if (reason === undefined) taken.push(checked.blob);
      else {
        namesOnly.push(checked.blob);
        leftOut.push({ ...labels(entry), reason });
      }
      names.push(checked.blob.blobName);
    }
  }
  for (let start = 0; start < taken.length; start += SLICE) await blobs.put(userId, taken.slice(start, start + SLICE));
  await blobs.putLeftOut(userId, namesOnly);
  const missing = await blobs.missing(
    userId,
    taken.map((blob) => blob.blobName),
  );
  const fresh = new Set(missing.nonindexed);
  return { names, rejected, leftOut, nonindexed: taken.filter((blob) => fresh.delete(blob.blobName)) };
}

/**
 * What an upload answers. Clients match names to blobs by position, and send what is behind the end of the answer once
 * more, one by one; a refused blob then comes alone, gets no name and is skipped. So the answer ends at the first
 * refusal: what stands behind it is kept all the same, and nothing is taken for something else.
 */
export function namesUpToFirstRefusal(names: readonly (string | undefined)[]): string[] {
  const end = names.indexOf(undefined);
  return (end < 0 ? names : names.slice(0, end)) as string[];
}

const TOO_MANY = `One call takes ${MAX_BLOBS_PER_CALL} blobs; send this one in another.`;
const MAX_LABEL = 200;

/** What tells the sender which entry is meant, without repeating an entry of any length. */
function labels(entry: unknown): { blobName: string; path: string } {
  const { blob_name: name, path } = (entry ?? {}) as Record<string, unknown>;
  return { blobName: toLabel(name), path: toLabel(path) };
}

function toLabel(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_LABEL).toWellFormed() : '';
}
