import { z } from 'zod';
import { type BlobSet, MAX_SET_NAMES } from '../index/checkpoints/checkpoint-store.ts';

/** Names of blobs; an entry may be an object that holds one. They are counted before they are looked at. */
export const blobNamesSchema = z
  .preprocess((names, context) => {
    if (!Array.isArray(names)) return names;
    if (names.length <= MAX_SET_NAMES) return names.map(nameIn);
    context.addIssue({ code: 'custom', message: `${names.length} names; the limit is ${MAX_SET_NAMES}` });
    return z.NEVER;
  }, z.array(z.string()).nullish())
  .transform((names) => names ?? []);

/** A set of blobs as clients send it; a plain list is one without a checkpoint. */
export const blobSetSchema = z
  .preprocess(
    (blobs) => (Array.isArray(blobs) ? { added_blobs: blobs } : blobs),
    z
      .object({ checkpoint_id: z.string().nullish(), added_blobs: blobNamesSchema, deleted_blobs: blobNamesSchema })
      .nullish(),
  )
  .transform((blobs): BlobSet => ({
    checkpointId: blobs?.checkpoint_id,
    added: blobs?.added_blobs ?? [],
    deleted: blobs?.deleted_blobs ?? [],
  }));

function nameIn(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const { blob_name: name, blobName } = entry as Record<string, unknown>;
  return name ?? blobName ?? entry;
}
