import { hash } from 'node:crypto';

/**
 * The name a file's content is known by on both sides of the sync, whatever its size.
 *
 * The path (relative, with `/`) is hashed with the content because retrieval answers with places: the same text at two
 * paths is two blobs, and a rename is a new one. Each file is named on its own; there is no hash over folders.
 */
export function blobName(path: string, content: Uint8Array | string): string {
  return hash('sha256', typeof content === 'string' ? path + content : Buffer.concat([Buffer.from(path), content]));
}
