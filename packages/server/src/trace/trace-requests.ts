import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span } from './span.ts';
import { parseTraceContext } from './trace-context.ts';
import { startSpan, withinSpan } from './tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request in a trace; nothing where traces are off, or for what is asked all the time. */
    span: Span | undefined;
  }
}

/** Makes every request a span, inside of what its client says. Its name is the route: an address may hold anything. */
export function traceRequests(door: FastifyInstance): void {
  door.decorateRequest('span', undefined);
  door.addHook('onRequest', (request, _reply, done) => {
    request.span = isWorthIt(request) ? startRequest(request) : undefined;
    done();
  });
  // What reads the body is woken by the connection, which is inside of nothing.
  door.addHook('preHandler', (request, _reply, done) => withinSpan(request.span, done));
  door.addHook('onResponse', (request, { raw }, done) => {
    const { span, errorCode } = request;
    span?.set({ 'http.response.status_code': raw.statusCode });
    if (raw.statusCode >= 500) span?.fail(errorCode ?? String(raw.statusCode));
    else if (errorCode !== null) span?.set({ 'error.type': errorCode });
    span?.end();
    done();
  });
}

function isWorthIt({ routeOptions, is404 }: FastifyRequest): boolean {
  const { access, isQuiet } = routeOptions.config;
  return !is404 && access !== 'public' && isQuiet !== true && routeOptions.url !== '/metrics';
}

function startRequest({ method, headers, routeOptions, id }: FastifyRequest): Span | undefined {
  const parent = parseTraceContext(headers['traceparent'], headers['tracestate']);
  const span = startSpan(`${method} ${routeOptions.url}`, 'server', parent);
  span?.set({ 'http.request.method': method, 'http.route': routeOptions.url, 'dragoman.request.id': id });
  return span;
}
