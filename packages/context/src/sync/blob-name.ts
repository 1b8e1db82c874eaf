import { hash } from 'node:crypto';
import { DragomanError } from '@dragoman/protocol/error';
import { DEFAULT_MAX_BLOB_BYTES } from './filter/check-content.ts';

export { DEFAULT_MAX_BLOB_BYTES };

/**
 * The name a file's content is known by on both sides of the sync, whatever its size.
 *
 * The path (relative, with `/`) is hashed with the content because retrieval answers with places: the same text at two
 * paths is two blobs, and a rename is a new one. Each file is named on its own; there is no hash over folders.
 */
export function blobName(path: string, content: Uint8Array | string): string {
  return hash('sha256', typeof content === 'string' ? path + content : Buffer.concat([Buffer.from(path), content]));
}

/** The name of content that may be uploaded: exactly `maxBytes` is, one byte more is not. */
export function blobNameOrThrow(
  path: string,
  content: Uint8Array | string,
  maxBytes: number = DEFAULT_MAX_BLOB_BYTES,
): string {
  const bytes = Buffer.byteLength(content);
  if (bytes > maxBytes) throw new BlobTooLargeError(path, bytes, maxBytes);
  return blobName(path, content);
}

/** The name of content that may be uploaded, or undefined. */
export function safeBlobName(
  path: string,
  content: Uint8Array | string,
  maxBytes: number = DEFAULT_MAX_BLOB_BYTES,
): string | undefined {
  return Buffer.byteLength(content) > maxBytes ? undefined : blobName(path, content);
}

/** Content that is larger than a server takes. */
export class BlobTooLargeError extends DragomanError {
  override readonly name: string = 'BlobTooLargeError';
  readonly path: string;
  readonly bytes: number;
  readonly maxBytes: number;

  constructor(path: string, bytes: number, maxBytes: number) {
    super('too-large', `${path} is ${bytes} bytes; the limit is ${maxBytes}.`);
    this.path = path;
    this.bytes = bytes;
    this.maxBytes = maxBytes;
  }
}
