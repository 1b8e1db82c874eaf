import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** A route as the server has it. */
export interface ToldRoute {
  method: string;
  url: string;
  access: string;
  body: 'api' | 'upload';
  /** The server's own limit where the route has none. */
  bodyLimit?: number | undefined;
}

/** What is read here of Fastify's options for a route. */
interface RouteOptions {
  method: string | string[];
  url: string;
  config?: Partial<Pick<ToldRoute, 'access' | 'body'>>;
  bodyLimit?: number;
}

interface Door {
  addHook(name: 'onRoute', hook: (route: RouteOptions) => void): void;
  addHook(name: 'onListen', hook: (done: () => void) => void): void;
}

/** Below this a turn of the event loop is not worth telling. */
const SHORT_MS = 20;
const EVERY_MS = 2;

/**
 * Loaded before the server: writes down every route it has, once it listens, and from then on how long its main thread
 * was busy without a pause, in CPU time, which a machine that does other things as well does not change.
 */
if (isMainThread)
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: Door };
    const routes: RouteOptions[] = [];
    fastify.addHook('onRoute', (route) => void routes.push(route));
    fastify.addHook('onListen', (done) => {
      writeFileSync(process.env['BENCH_ROUTES']!, JSON.stringify(routes.flatMap(toTold)));
      tellBusyTurns(process.env['BENCH_BUSY']!);
      done();
    });
  });

function tellBusyTurns(file: string): void {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const busyMs = (user + system) / 1000;
    if (busyMs > SHORT_MS) appendFileSync(file, `${busyMs.toFixed(0)}\n`);
  }, EVERY_MS).unref();
}

function toTold({ method, url, config, bodyLimit }: RouteOptions): ToldRoute[] {
  const { access = 'admin', body = 'api' } = config ?? {};
  return [method].flat().map((one) => ({ method: one, url, access, body, bodyLimit }));
}
