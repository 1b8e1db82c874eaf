import { callerOf, parseBody } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Blob } from '../blob-server.ts';
import { nextTurn } from '../index/blobs/next-turn.ts';
import { namesUpToFirstRefusal, takeBlobs, type ToldBlob } from '../index/blobs/take-blobs.ts';
import { blobNamesSchema, blobSetSchema } from './blobs-wire.ts';
import type { ContextEngine } from './context-engine.ts';
import { whileConnected } from './while-connected.ts';

/** Worth the wait: a client that has to ask again does so only after 3 s or a minute. */
const INDEX_WAIT_MS = 8_000;

/** Of these a thousand are taken, and the rest is told why not; nobody sends so many. */
const MOST_ENTRIES = 10_000;

const findMissingSchema = z.object({ mem_object_names: blobNamesSchema, blob_names: blobNamesSchema });
const batchUploadSchema = z.object({ blobs: z.array(z.unknown()).max(MOST_ENTRIES).nullish() });
const checkpointSchema = z.object({ blobs: blobSetSchema });

/** Which of these have to be uploaded, and which cannot be found yet. Asking about the latter sees to it that they will be. */
export async function findMissing({ blobs, index }: ContextEngine, request: FastifyRequest): Promise<unknown> {
  const body = parseBody(findMissingSchema, request.body);
  const names = body.mem_object_names.length > 0 ? body.mem_object_names : body.blob_names;
  await nextTurn();
  const { unknown, nonindexed } = await blobs.missing(callerOf(request).userId, names);
  if (nonindexed.length > 0)
    void index
      .whenIndexed(nonindexed)
      .catch((err: unknown) => request.log.warn({ err, requestId: request.id }, 'stored blobs could not be indexed'));
  return { unknown_memory_names: unknown, nonindexed_blob_names: nonindexed };
}

/** Takes files. What is refused, or acknowledged and not kept, is told with its reason, which clients that do not know the field pass over. */
export async function batchUpload(engine: ContextEngine, request: FastifyRequest): Promise<unknown> {
  const { blobs: entries } = parseBody(batchUploadSchema, request.body);
  const { userId } = callerOf(request);
  const { names, rejected, leftOut, nonindexed } = await takeBlobs(
    engine.blobs,
    userId,
    entries ?? [],
    engine.maxBlobBytes,
  );
  if (rejected.length > 0)
    request.log.warn(
      { requestId: request.id, rejected: rejected.length, reason: rejected[0]!.reason },
      'blobs of an upload were refused',
    );
  if (nonindexed.length > 0)
    await whileConnected(request, (signal) =>
      indexForAWhile(engine, nonindexed, signal, (err) =>
        request.log.error({ err, requestId: request.id }, 'uploaded blobs could not be indexed'),
      ),
    );
  return {
    blob_names: namesUpToFirstRefusal(names),
    ...(rejected.length > 0 && { rejected: rejected.map(toWire) }),
    ...(leftOut.length > 0 && { left_out: leftOut.map(toWire) }),
  };
}

function toWire({ blobName, path, reason }: ToldBlob): Record<'blob_name' | 'path' | 'reason', string> {
  return { blob_name: blobName, path, reason };
}

/** Names the set of blobs that results from a change, so that the next request can be short. */
export async function checkpointBlobs({ checkpoints }: ContextEngine, request: FastifyRequest): Promise<unknown> {
  const { blobs } = parseBody(checkpointSchema, request.body);
  await nextTurn();
  return { new_checkpoint_id: await checkpoints.checkpoint(callerOf(request).userId, blobs) };
}

/** The blobs are stored: whatever the index does, or does not do in time, the upload has succeeded. */
async function indexForAWhile(
  { index, indexWaitMs = INDEX_WAIT_MS }: ContextEngine,
  blobs: readonly Blob[],
  left: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  const over = AbortSignal.any([left, AbortSignal.timeout(indexWaitMs)]);
  const names = blobs.map((blob) => blob.blobName);
  const indexed = index
    .add(blobs)
    .then(() => index.whenIndexed(names, over))
    .catch((error: unknown) => {
      if (!over.aborted) onError(error);
    });
  await Promise.race([indexed, new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }))]);
}
