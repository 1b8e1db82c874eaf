import { DragomanError } from '@dragoman/protocol';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { bodyLimitOf, tooLarge } from './body-limit.ts';

/** Reads a body to its end, within the limit of its route. What `take` throws ends it. */
export function readPieces(
  request: FastifyRequest,
  payload: RequestPayload,
  take: (chunk: Buffer) => void,
): Promise<void> {
  const limit = bodyLimitOf(request);
  const said = Number(request.headers['content-length']);
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => {
      // What is left of it is passed over until the connection ends.
      payload.off('data', takeWithinLimit).off('end', finish).off('error', fail).resume();
      reject(error);
    };
    const takeWithinLimit = (chunk: Buffer) => {
      request.bodyBytes += chunk.length;
      try {
        if (request.bodyBytes > limit) throw tooLarge(limit);
        take(chunk);
      } catch (error) {
        refuse(error as Error);
      }
    };
    const fail = (error: Error & { statusCode?: number }) =>
      refuse(Object.assign(error, { statusCode: error.statusCode ?? 400 }));
    const finish = () => {
      if (!Number.isNaN(said) && (payload.receivedEncodedLength ?? request.bodyBytes) !== said)
        reject(new DragomanError('bad-request', 'The length of the body does not match its content-length.'));
      else resolve();
    };
    if (said > limit) reject(tooLarge(limit));
    else payload.on('data', takeWithinLimit).on('end', finish).on('error', fail);
  });
}
