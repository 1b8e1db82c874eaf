import type { Socket } from 'node:net';
import { DragomanError } from '@dragoman/protocol';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { OpenStreams } from '../access/open-streams.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { http } from '../network/node-http.ts';
import { traceRequests } from '../trace/trace-requests.ts';
import { isTracing } from '../trace/tracing.ts';
import type { Metrics } from '../watch/metrics.ts';
import { type Access, authenticate } from './authenticate.ts';
import { PUBLIC_BODY_BYTES } from './body-limit.ts';
import { allowOrigins, refuseForeignOrigin } from './cross-origin.ts';
import { DoorConnections } from './door-connections.ts';
import { replyWithError } from './error-reply.ts';
import { checkHost } from './host-check.ts';
import { leaseRoute, Leases } from './leases.ts';
import { loginRoutes } from './login-routes.ts';
import { pathTokenOf, takePathToken } from './path-token.ts';
import { packAnswers } from './pack-answers.ts';
import { readBodies } from './read-body.ts';
import { requestIdOf } from './request-id.ts';
import { logRequest, logRequests } from './request-log.ts';
import './route-config.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import { shownPath } from './shown-path.ts';
import { endStalledReaders } from './stalled-reader.ts';
import { wantsPage } from './wants-page.ts';
import { type ServerFacts, watchRoutes } from './watch-routes.ts';

const LARGE_BYTES = 1024 * 1024;

export interface DoorParts {
  /** The configuration in force. Only which origins may call is read anew with each request. */
  config: () => ServerConfig['server'];
  access: Access;
  facts: ServerFacts;
  log: FastifyBaseLogger;
  metrics: Metrics;
  stopping: AbortSignal;
  /** Who holds the server open; for a server that ends when nobody does. */
  leases?: Leases;
  /** Is called after a large body was answered: what it took is free again, and the system does not know. */
  onLargeBody?: () => void;
  /** What a person sees whose address leads nowhere; programs are told in JSON. */
  showMissing?: (reply: FastifyReply) => FastifyReply;
}

/**
 * The one HTTP door. A request is named, its host and origin are looked at, its caller is found, its body is read, and
 * only then does a room see it. Rooms are plugins: `door.register(room)`.
 */
export function openDoor(parts: DoorParts): FastifyInstance {
  const { config, access, facts, log, metrics, stopping, leases = new Leases(), onLargeBody, showMissing } = parts;
  const { timeouts, bodyLimits, publicUrl: address } = config();
  const publicUrl = address === undefined ? undefined : new URL(address);
  const origins = () => config().corsOrigins.map((origin) => new URL(origin).origin);

  const door = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }), // Request lines are ours: see request-log.ts.
    rewriteUrl: takePathToken,
    genReqId: requestIdOf,
    forceCloseConnections: 'idle',
    bodyLimit: bodyLimits.apiBytes,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: Math.min(timeouts.headersMs, 5_000) },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket),
    frameworkErrors: (error, request, reply) => answerBrokenAddress(error, request, reply),
  });
  /** An address that cannot be read meets no hook, so it gets here what the hooks would have given it. */
  const answerBrokenAddress = (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    Object.assign(request, { caller: null, errorCode: null, bodyBytes: 0 });
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    reply.raw.once('finish', () => logRequest(request, reply, metrics));
    let reason: unknown = error;
    try {
      checkHost(request, publicUrl?.host);
    } catch (misdirected) {
      reason = misdirected;
    }
    void replyWithError(reason, request, reply);
  };
  door.setChildLoggerFactory((logger) => logger);
  door.decorate('stopping', { getter: () => stopping });
  const openStreams = new OpenStreams(access.tokens);
  door.decorate('openStreams', { getter: () => openStreams });
  const connections = new DoorConnections(door.server);
  door.decorate('connections', { getter: () => connections });
  door.decorateRequest('caller', null);
  door.decorateRequest('errorCode', null);
  door.decorateRequest('bodyBytes', 0);
  door.setErrorHandler(replyWithError);
  const isMissingPage = (request: FastifyRequest) =>
    showMissing !== undefined && request.is404 && wantsPage(request) && pathTokenOf(request.raw) === undefined;
  door.setNotFoundHandler((request, reply) => {
    if (isMissingPage(request)) return showMissing!(reply.code(404));
    throw new DragomanError('not-found', `There is nothing at ${request.method} ${shownPath(request.url)}.`);
  });

  door.addHook('onRoute', (route) => {
    if (route.config?.access === 'public') route.bodyLimit ??= PUBLIC_BODY_BYTES;
    else if (route.config?.body === 'upload') route.bodyLimit ??= bodyLimits.uploadBytes;
  });
  logRequests(door, metrics);
  if (isTracing()) traceRequests(door);
  door.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
    checkHost(request, publicUrl?.host);
    if (allowOrigins(request, reply, origins)) return reply.code(204).send();
    if (request.routeOptions.config.refusesForeignOrigins === true)
      refuseForeignOrigin(request, [...origins(), publicUrl?.origin]);
    // It holds nothing secret, and who is not logged in sees it too.
    if (!isMissingPage(request)) await authenticate(request, reply, access);
  });
  readBodies(door);
  packAnswers(door);
  endStalledReaders(door);
  door.addHook('onResponse', async ({ bodyBytes }) => {
    if (bodyBytes > LARGE_BYTES) onLargeBody?.();
  });

  watchRoutes(door, facts, metrics);
  loginRoutes(door, access, publicUrl?.protocol === 'https:');
  leaseRoute(door, leases);
  return door;
}

const BROKEN_REQUESTS: Readonly<Record<string, { status: number; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The request headers are too large.' },
};

/** What never became a request: headers that do not come to an end, or bytes that are not HTTP. */
function answerBrokenRequest(error: { code: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = BROKEN_REQUESTS[error.code] ?? { status: 400, message: 'This is not an HTTP request.' };
  const body = JSON.stringify({ error: { code: status === 408 ? 'timed-out' : 'bad-request', message } });
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
