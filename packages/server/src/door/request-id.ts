import type { IncomingMessage } from 'node:http';
import { newId } from '@dragoman/protocol';

/** The client's own id where it sent a sane one, so that both logs name the same thing. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : newId('req');
}
