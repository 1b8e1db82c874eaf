import { DragomanError } from '@dragoman/protocol';
import { imagePieceSchema } from '@dragoman/protocol/schemas';
import type { HubParts } from '../hub-parts.ts';
import { askAboutFiles } from './ask-about-files.ts';

/** An image of a session, put together from the pieces that its machine sends. */
export async function readImage(
  parts: HubParts,
  { sessionId, path, signal }: { sessionId: string; path: string; signal: AbortSignal },
): Promise<{ mediaType: string; bytes: Buffer }> {
  const next = (from: number) =>
    askAboutFiles(parts, { sessionId, ask: { method: 'read-image', path, from }, answer: imagePieceSchema, signal });
  const { mediaType, size, version, data } = await next(0);
  const pieces = [Buffer.from(data, 'base64')];
  let length = pieces[0]!.length;
  while (length < size) {
    const piece = await next(length);
    const bytes = Buffer.from(piece.data, 'base64');
    if (piece.version !== version || bytes.length === 0) throw changed();
    pieces.push(bytes);
    length += bytes.length;
  }
  if (length > size) throw changed();
  return { mediaType, bytes: Buffer.concat(pieces) };
}

function changed(): DragomanError {
  return new DragomanError('conflict', 'The image was changed while it was read; try again.', { isRetryable: true });
}
