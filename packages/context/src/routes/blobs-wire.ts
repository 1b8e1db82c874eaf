import { z } from 'zod';
import { type BlobSet, MAX_SET_NAMES } from '../index/checkpoints/checkpoint-store.ts';

/**
 * Names of blobs; an entry may be an object that holds one. They are counted before they are looked at, and looked at by
 * hand: a schema for each of 200,000 takes longer than everything that is done with them.
 */
export const blobNamesSchema = z
  .unknown()
  .optional()
  .transform((given, context): string[] => {
    const refuse = (message: string, path: number[] = []) => {
      context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    };
    if (given === null || given === undefined) return [];
    if (!Array.isArray(given)) return refuse('expected a list of names');
    if (given.length > MAX_SET_NAMES) return refuse(`${given.length} names; the limit is ${MAX_SET_NAMES}`);
    const names: string[] = [];
    for (const [index, entry] of given.entries()) {
      const name = nameIn(entry);
      if (typeof name !== 'string') return refuse('expected a name, as text', [index]);
      names.push(name);
    }
    return names;
  });

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
