import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** A route as the server has it. */
export interface ToldRoute {
  method: string;
  url: string;
  access: string;
  body: 'api' | 'upload';
  /** The server's own limit where the route has none. */
  bodyLimit?: number | undefined;
}

/** Loaded before the server: writes down every route it has, once it listens. */
if (isMainThread)
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    const routes: RouteOptions[] = [];
    fastify.addHook('onRoute', (route) => void routes.push(route));
    fastify.addHook('onListen', (done) => {
      writeFileSync(process.env['BENCH_ROUTES']!, JSON.stringify(routes.flatMap(toTold)));
      done();
    });
  });

function toTold({ method, url, config, bodyLimit }: RouteOptions): ToldRoute[] {
  const { access = 'admin', body = 'api' } = config ?? {};
  return [method].flat().map((one) => ({ method: one, url, access, body, bodyLimit }));
}
