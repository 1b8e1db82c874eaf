import type { DragomanError } from '@dragoman/protocol';
import type { FastifyReply } from 'fastify';
import { parseJson } from '../tools/json-object.ts';
import { ProviderRefusal } from '../upstreams/upstream-error.ts';
import type { Dialect } from './dialect.ts';

/** By which clients decide whether and when they ask again, and what they tell the provider's support. */
const PASSED_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry', 'request-id'];
const LONGEST_HEADER = 200;

/**
 * Sends what a provider that speaks the client's own protocol refused with, as it came. Nothing is sent where that is not a
 * form of error that the protocol has, or is about the provider's key, which is no reason for a client to log in again.
 */
export function passRefusal(
  error: DragomanError,
  dialect: { name: string } & Pick<Dialect, 'relayed' | 'isOwnError'>,
  reply: FastifyReply,
): FastifyReply | undefined {
  if (!(error instanceof ProviderRefusal)) return undefined;
  if (error.refusal.protocol !== (dialect.relayed?.type ?? dialect.name)) return undefined;
  const { status, body, headers } = error.refusal;
  if (status < 400 || status === 401 || dialect.isOwnError?.(parseJson(body)) !== true) return undefined;
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value.length <= LONGEST_HEADER) reply.header(name, value);
  }
  return reply.code(status).type('application/json').send(body);
}
