import { createGunzip } from 'node:zlib';
import { DragomanError } from '@dragoman/protocol';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { bodyLimitOf, tooLarge } from './body-limit.ts';

/**
 * The body as it was before packing. The route's limit holds for what goes in and for what comes out: reading
 * stops there, so a small body that would unpack to gigabytes costs no more than a large one.
 *
 * Without a token nothing is unpacked: that costs more than it costs to send.
 */
export function unpackBody(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload): RequestPayload {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase();
  if (encoding === undefined || encoding === 'identity') return payload;
  if (request.routeOptions.config.access === 'public')
    throw new DragomanError('unsupported-media', 'This request needs a plain body, without a content-encoding.');
  if (encoding !== 'gzip')
    throw new DragomanError(
      'unsupported-media',
      `The content-encoding ${JSON.stringify(encoding.slice(0, 40))} is not supported; send the body uncompressed or as gzip.`,
    );

  const limit = bodyLimitOf(request);
  const unpacked: ReturnType<typeof createGunzip> & RequestPayload = createGunzip();
  unpacked.receivedEncodedLength = 0;
  payload.on('data', (chunk: Buffer) => {
    unpacked.receivedEncodedLength! += chunk.length;
    if (unpacked.destroyed || unpacked.receivedEncodedLength! <= limit) return;
    // Packed bytes out of which nothing comes cost as much as others.
    payload.unpipe(unpacked).resume();
    unpacked.destroy(tooLarge(limit));
  });
  payload.once('error', (error: Error) => unpacked.destroy(error));
  payload.pipe(unpacked);
  unpacked.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code?.startsWith('Z_') === true)
      Object.assign(error, { statusCode: 400, message: 'The body is not valid gzip.' });
  });
  // What is left when the limit was passed is never read.
  reply.raw.once('close', () => unpacked.destroy());
  return unpacked;
}
