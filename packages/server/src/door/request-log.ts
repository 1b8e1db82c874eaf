import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../watch/metrics.ts';

/**
 * One line and one measurement for each request, at its end.
 *
 * The line names the route, never the address that was asked for: an address may hold anything, a secret too.
 */
export function logRequests(door: FastifyInstance, metrics: Metrics): void {
  door.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply, metrics);
    done();
  });
}

/** The line and the measurement of one request that has been answered. */
export function logRequest(request: FastifyRequest, reply: FastifyReply, metrics: Metrics): void {
  const route = request.is404 ? '(no route)' : (request.routeOptions.url ?? '(no route)');
  const status = reply.raw.statusCode;
  const ms = Math.round(reply.elapsedTime * 10) / 10;
  metrics.observeRequest({ method: request.method, route, status, ms });
  const isQuiet = request.routeOptions.config?.isQuiet === true && status < 400;
  request.log[isQuiet ? 'debug' : 'info'](
    {
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms,
      ...(request.caller === null ? {} : { user: request.caller.userName, token: request.caller.tokenName }),
      ...(request.errorCode === null ? {} : { error: request.errorCode }),
      ...(reply.raw.writableFinished ? {} : { cut: true }),
    },
    `${request.method} ${route} ${status} ${ms} ms`,
  );
}
