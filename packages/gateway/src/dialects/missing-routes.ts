import { DragomanError } from '@dragoman/protocol';
import { shownPath } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { replyByClient } from './reply-by-client.ts';

/** Every path that is not served here, such as endpoints of the services that have no counterpart. */
export function missingRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyByClient('none', gateway));
  door.setNotFoundHandler(({ method, url }) => {
    throw new DragomanError('not-found', `There is nothing at ${method} ${shownPath(url)}.`);
  });
}
