import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BotApi, type BotMethod, notFound } from './bot-api.ts';
import { BotApiError, encodeBotApiError } from './bot-api-error.ts';
import { CallParams, readCallParams } from './call-params.ts';
import type { TelegramCall, TelegramFailure, TelegramFaultHook } from './fault.ts';
import { botMethods } from './methods/bot-methods.ts';
import { chatMethods } from './methods/chat-methods.ts';
import { fileMethods } from './methods/file-methods.ts';
import { messageMethods } from './methods/message-methods.ts';
import { tooManyRequests } from './rate-limits.ts';

/** A call and what became of it. */
export interface LoggedCall extends TelegramCall {
  /** Of the answer; 0 while there is none, and for ever where the connection was cut. */
  status: number;
}

/** What the server asks its owner for. */
export interface BotApiHost {
  api: BotApi;
  token: () => string | undefined;
  faults: () => TelegramFaultHook | undefined;
  log: LoggedCall[];
}

/** A Bot API that is being served. */
export interface ServedBotApi {
  url: string;
  close(): Promise<void>;
}

/** The Bot API takes methods in any case. */
const METHODS: ReadonlyMap<string, { name: string; run: BotMethod }> = new Map(
  Object.entries({ ...botMethods, ...messageMethods, ...fileMethods, ...chatMethods }).map(([name, run]) => [
    name.toLowerCase(),
    { name, run },
  ]),
);

/** Serves the Bot API on a free port of this machine. */
export async function serveBotApi(host: BotApiHost): Promise<ServedBotApi> {
  const server = createServer((request, response) => {
    answer(host, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 0; // A connection that the server closes while a call is on its way would look like a fault.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(host: BotApiHost, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  const url = new URL(request.url ?? '/', 'http://telegram');
  const [, isFile, token, path] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
  if (token === undefined || path === undefined) return send(response, encodeBotApiError(notFound()), 404);
  if (token !== host.token()) return send(response, encodeBotApiError(new BotApiError(401, 'Unauthorized')), 401);
  if (isFile !== undefined) return sendFile(host, path, response);

  const { params, problem } = tryRead(url.searchParams, request.headers['content-type'] ?? '', body);
  const method = METHODS.get(path.toLowerCase());
  const call = logCall(host, method?.name ?? path, params);
  const fault = host.faults()?.(call);
  if (typeof fault === 'object') return finish(host, call, response, encodeFailure(fault), fault.status);
  if (fault === 'drop-before') return cut(host, response);
  if (fault === 'hang') return;

  const left = new AbortController();
  response.once('close', () => left.abort());
  const result = await run(host.api, problem, method?.run, params, left.signal);
  if (fault === 'drop-after') return cut(host, response);
  if (fault === 'hang-after') return host.api.world.changed();
  return finish(host, call, response, result.body, result.status);
}

async function run(
  api: BotApi,
  problem: BotApiError | undefined,
  method: BotMethod | undefined,
  params: CallParams,
  signal: AbortSignal,
): Promise<{ status: number; body: object }> {
  try {
    if (problem !== undefined) throw problem;
    if (method === undefined) throw notFound();
    return { status: 200, body: { ok: true, result: await method(api, params, signal) } };
  } catch (error) {
    if (error instanceof BotApiError) return { status: error.status, body: encodeBotApiError(error) };
    // A fault of the fake itself: the test should see it and not take it for Telegram's.
    return { status: 500, body: { ok: false, error_code: 500, description: `fake Telegram: ${String(error)}` } };
  }
}

function tryRead(
  query: URLSearchParams,
  contentType: string,
  body: Buffer,
): { params: CallParams; problem: BotApiError | undefined } {
  try {
    return { params: readCallParams(query, contentType, body), problem: undefined };
  } catch (error) {
    if (error instanceof BotApiError) return { params: new CallParams({}), problem: error };
    throw error;
  }
}

function logCall(host: BotApiHost, method: string, params: CallParams): LoggedCall {
  const call: LoggedCall = {
    number: host.log.length + 1,
    method,
    params: params.values,
    chatId: params.integer('chat_id'),
    at: host.api.world.now(),
    status: 0,
  };
  host.log.push(call);
  host.api.world.changed();
  return call;
}

function finish(
  host: BotApiHost,
  call: LoggedCall,
  response: ServerResponse,
  body: string | object,
  status: number,
): void {
  call.status = status;
  send(response, body, status);
  host.api.world.changed();
}

function cut(host: BotApiHost, response: ServerResponse): void {
  response.destroy();
  host.api.world.changed();
}

function send(response: ServerResponse, body: string | object, status: number): void {
  const isPage = typeof body === 'string';
  response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json' });
  response.end(isPage ? body : JSON.stringify(body));
}

function sendFile({ api }: BotApiHost, path: string, response: ServerResponse): void {
  const file = [...api.world.files.values()].find((one) => one.path === path);
  if (file === undefined) return send(response, encodeBotApiError(notFound()), 404);
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.bytes.length });
  response.end(file.bytes);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function encodeFailure({ status, body, retryAfter }: TelegramFailure): string | object {
  if (body !== undefined) return body;
  if (status === 429) return encodeBotApiError(tooManyRequests(retryAfter ?? 1));
  const parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter };
  return encodeBotApiError(new BotApiError(status, REASONS[status] ?? 'Bad Request', parameters));
}
