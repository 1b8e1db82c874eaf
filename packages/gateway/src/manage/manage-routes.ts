import type { ApiRoute } from '@dragoman/protocol';
import { GATEWAY_ROUTES } from '@dragoman/protocol/routes';
import type { Store } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import type { ManageHandlers } from './manage-handlers.ts';

/**
 * What the console asks of the gateway. The handlers are loaded with the first request.
 *
 * In an application without our door nobody checks who is an admin, so there only usage is told.
 */
export function manageRoutes(door: FastifyInstance, gateway: Gateway, store: Store): void {
  let handlers: ManageHandlers | undefined;
  const hasRoles = door.hasDecorator('openStreams');
  for (const [name, { method, path, access }] of Object.entries(GATEWAY_ROUTES) as [keyof ManageHandlers, ApiRoute][]) {
    if (!hasRoles && name !== 'readUsage') continue;
    door.route({
      method,
      url: path,
      config: { access },
      async handler(request, reply) {
        handlers ??= (await import('./manage-handlers.ts')).manageHandlers(gateway, store);
        return handlers[name](request, reply);
      },
    });
  }
}
