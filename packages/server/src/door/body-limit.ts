import { DragomanError } from '@dragoman/protocol';
import type { FastifyRequest } from 'fastify';

/** What a call without a token may send: a login code and the like. */
export const PUBLIC_BODY_BYTES = 1024;

/** How many bytes a body of this call may have, as it is sent and as it is unpacked. */
export function bodyLimitOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.bodyLimit ?? PUBLIC_BODY_BYTES;
}

export function tooLarge(limit: number): DragomanError {
  return new DragomanError('too-large', `The body is larger than ${limit} bytes, the limit for this request.`);
}
