import { DragomanError } from '@dragoman/protocol';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { replyByClient } from './reply-by-client.ts';

/** Every path that is not served here, such as endpoints of the services that have no counterpart. */
export function missingRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyByClient('none', gateway));
  door.setNotFoundHandler(({ method, url }) => {
    throw new DragomanError('not-found', `There is nothing at ${method} ${url.split('?', 1)[0]!.slice(0, 200)}.`);
  });
}
