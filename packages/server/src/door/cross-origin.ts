import { DragomanError } from '@dragoman/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Lets pages of the named origins call the API with a token, and no others. Cookies are never part of it.
 * True when the request was a preflight and is answered by this.
 */
export function allowOrigins(request: FastifyRequest, reply: FastifyReply, origins: () => readonly string[]): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !origins().includes(origin)) return false;
  reply.header('access-control-allow-origin', origin);
  reply.header('vary', 'origin');
  reply.header('access-control-expose-headers', 'x-request-id, retry-after');
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false;
  reply.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  reply.header(
    'access-control-allow-headers',
    'authorization, content-type, x-api-key, api-key, x-goog-api-key, x-goog-api-client, x-request-id, x-dragoman-workspace, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  );
  reply.header('access-control-max-age', '600');
  return true;
}

/**
 * Refuses a call of a page that is neither the server's own nor of an allowed origin, whatever token it has. Programs
 * send no origin.
 */
export function refuseForeignOrigin(request: FastifyRequest, allowed: readonly (string | undefined)[]): void {
  const { origin, host } = request.headers;
  if (origin === undefined) return;
  const page = URL.parse(origin);
  if (page !== null && allowed.includes(page.origin)) return;
  if (page !== null && isWeb(page) && page.host === URL.parse(`${page.protocol}//${host}`)?.host) return;
  throw new DragomanError(
    'forbidden',
    `This request came from a page of ${JSON.stringify(origin.slice(0, 100))}. Pages of other origins can only call this server if server.corsOrigins lists them.`,
  );
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/**
 * Refuses a call that another page makes with this browser's cookie.
 *
 * `SameSite=Strict` is not enough: a page on another port of localhost counts as the same site.
 */
export function refuseForeignPage(request: FastifyRequest): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeignOrigin = origin !== undefined && URL.parse(origin)?.host !== host;
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeignOrigin || isForeignSite)
    throw new DragomanError(
      'forbidden',
      'This request came from another site. The login of this browser only works for pages of this server.',
    );
}
