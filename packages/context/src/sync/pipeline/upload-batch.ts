import { DragomanError } from '@dragoman/protocol/error';
import type { Blob, BlobServer } from '../../blob-server.ts';
import type { Clock } from './clock.ts';
import { isPassing, retryPassing } from './retry-passing.ts';
import type { SyncLog } from './sync-log.ts';

interface UploadParts {
  server: BlobServer;
  clock: Clock;
  log: SyncLog;
  signal: AbortSignal;
}

interface UploadResult {
  /** Expected name → the name the server gave it. */
  uploaded: Map<string, string>;
  /** Expected name → why the server did not take it. */
  failed: Map<string, unknown>;
  /** Set when the server is away or refuses us: those that are neither uploaded nor failed were not tried. */
  trouble?: unknown;
}

/** Failures that are about us, and would be the same for every blob. */
const ABOUT_US: ReadonlySet<string> = new Set([
  'unauthenticated',
  'forbidden',
  'not-found',
  'misdirected',
  'cancelled',
]);

/**
 * Uploads a batch, and one by one what was left without an answer, so that one bad file does not keep the others back.
 *
 * After a failure the server is asked something small first. When that fails too it is the server's trouble and no
 * file's, and trying a hundred more would only take long.
 */
export async function uploadBatch(blobs: readonly Blob[], parts: UploadParts): Promise<UploadResult> {
  const { log } = parts;
  const result: UploadResult = { uploaded: new Map(), failed: new Map() };
  log.trace({ blobs: blobs.length }, 'upload begins');
  for (const { path, blobName } of blobs) log.trace({ path, blobName }, 'blob to upload');

  const isAlone = blobs.length === 1;
  try {
    const names = await upload(blobs, parts);
    for (const [index, { blobName }] of blobs.entries()) {
      const given = names[index];
      if (given !== undefined && given !== '') result.uploaded.set(blobName, given);
      else if (isAlone) result.failed.set(blobName, undefined);
    }
  } catch (error) {
    if (!parts.signal.aborted) log.error({ err: error, blobs: blobs.length }, 'a batch could not be uploaded');
    if (isAlone) result.failed.set(blobs[0]!.blobName, error);
    if (await isServersTrouble(error, blobs[0]!.blobName, parts)) return { ...result, trouble: error };
  }

  for (const blob of blobs) {
    if (result.uploaded.has(blob.blobName) || result.failed.has(blob.blobName)) continue;
    log.trace({ path: blob.path, blobName: blob.blobName }, 'uploading alone');
    try {
      const [given = ''] = await upload([blob], parts);
      if (given === '') result.failed.set(blob.blobName, undefined);
      else result.uploaded.set(blob.blobName, given);
    } catch (error) {
      log.debug({ err: error, path: blob.path }, 'a blob could not be uploaded');
      result.failed.set(blob.blobName, error);
      if (await isServersTrouble(error, blob.blobName, parts)) return { ...result, trouble: error };
    }
  }
  return result;
}

function upload(blobs: readonly Blob[], { server, clock, log, signal }: UploadParts): Promise<string[]> {
  return retryPassing(() => server.batchUpload(blobs, signal), {
    clock,
    signal,
    onRetry: (error) => log.debug({ err: error }, 'upload is tried again'),
  });
}

/** It has no room, or is broken: that passes, but not by asking again at once. */
function isUnable(error: unknown): boolean {
  return error instanceof DragomanError && error.code === 'unavailable' && !error.isRetryable;
}

async function isServersTrouble(error: unknown, blobName: string, { server, signal }: UploadParts): Promise<boolean> {
  if (signal.aborted || ABOUT_US.has((error as DragomanError).code) || isUnable(error)) return true;
  if (!isPassing(error)) return false;
  return server.findMissing([blobName], signal).then(
    () => false,
    () => true,
  );
}
