import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseObject } from './json-object.ts';
import type { CallLog, LarkFault, LarkCall } from './lark-calls.ts';
import { LarkRefusal, refuse } from './lark-refusal.ts';
import type { LarkState } from './lark-state.ts';
import { parseMultipart } from './parse-multipart.ts';

/** What a route answers with: JSON as it is, or the bytes of a file. */
export type LarkAnswer = { json: Record<string, unknown> } | { bytes: Uint8Array; mediaType: string; name: string };

/** One endpoint. */
export interface LarkRoute {
  /** `GET im/v1/chats/:chat_id`; below `/open-apis/` unless it begins with a slash. */
  endpoint: string;
  /** One of these is needed; without any, whoever has a token may. */
  scopes?: readonly string[];
  /** Needs no token. */
  isOpen?: boolean;
  run(call: LarkCall): LarkAnswer;
}

/** The open platform's HTTP side: tokens, scopes, limits and faults in front of the routes. */
export class LarkServer {
  readonly http: Server;
  readonly url: string;
  readonly #state: LarkState;
  readonly #calls: CallLog;
  readonly #routes: readonly { route: LarkRoute; method: string; pattern: RegExp; names: string[] }[];
  readonly #faultOf: (call: LarkCall) => LarkFault | undefined;

  /** Listens on a free port of this machine. */
  static async open(
    state: LarkState,
    calls: CallLog,
    routes: readonly LarkRoute[],
    faultOf: (call: LarkCall) => LarkFault | undefined,
  ): Promise<LarkServer> {
    const http = createServer();
    http.keepAliveTimeout = 0; // A connection that is closed while the next call is on its way would look like a fault.
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    return new LarkServer(http, state, calls, routes, faultOf);
  }

  private constructor(
    http: Server,
    state: LarkState,
    calls: CallLog,
    routes: readonly LarkRoute[],
    faultOf: (call: LarkCall) => LarkFault | undefined,
  ) {
    this.http = http;
    this.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    this.#state = state;
    this.#calls = calls;
    this.#routes = routes.map(compile);
    this.#faultOf = faultOf;
    http.on('request', (request, response) => {
      this.#handle(request, response).catch(() => request.socket.destroy());
    });
  }

  async close(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url!, this.url);
    const raw = Buffer.concat(await request.toArray());
    const found = this.#find(request.method!, address.pathname);
    if (found === undefined) {
      return send(response, 404, { code: 99991404, msg: `404 page not found: ${request.method} ${address.pathname}` });
    }
    const call = this.#calls.add({
      endpoint: found.route.endpoint,
      params: found.params,
      query: Object.fromEntries(address.searchParams),
      ...readBody(raw, request.headers['content-type'] ?? ''),
      at: this.#state.now(),
    });
    const fault = this.#faultOf(call);
    if (typeof fault === 'object') {
      call.outcome = fault.code;
      send(response, fault.status, { code: fault.code, msg: fault.msg ?? 'injected' }, fault.headers);
    } else if (fault === 'drop-before' || fault === 'hang') {
      call.outcome = fault;
      if (fault === 'drop-before') request.socket.destroy();
    } else {
      const answer = this.#answer(found.route, call, request.headers.authorization);
      call.outcome = fault ?? answer.code;
      if (fault === undefined) answer.send(response);
      else if (fault === 'drop-after') request.socket.destroy();
    }
    this.#state.changed();
  }

  #answer(
    route: LarkRoute,
    call: LarkCall,
    authorization: string | undefined,
  ): { code: number; send(response: ServerResponse): void } {
    try {
      if (route.isOpen !== true) this.#authorise(route, authorization);
      this.#limit(call);
      const answer = route.run(call);
      if ('json' in answer) return { code: 0, send: (response) => send(response, 200, answer.json) };
      return { code: 0, send: (response) => sendFile(response, answer) };
    } catch (error) {
      if (!(error instanceof LarkRefusal)) {
        return {
          code: 1663,
          send: (response) => send(response, 500, { code: 1663, msg: `the fake failed: ${String(error)}` }),
        };
      }
      const body = { code: error.code, msg: error.message, error: { log_id: `log${call.number}` } };
      return { code: error.code, send: (response) => send(response, error.status, body, error.headers) };
    }
  }

  #authorise(route: LarkRoute, authorization: string | undefined): void {
    if (this.#state.access.isDisabled) refuse(99991662, 'app not in use: the app is disabled');
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined)
      refuse(99991661, 'Missing access token for authorization. Please make a request with token attached.');
    if (!this.#state.access.isGoodToken(token))
      refuse(99991663, 'Invalid access token for authorization. Please make a request with a valid token.');
    const { scopes } = route;
    if (scopes !== undefined && !scopes.some((scope) => this.#state.scopes.has(scope))) {
      refuse(99991672, `Access denied. One of the following scopes is required: [${scopes.join(', ')}]`);
    }
  }

  #limit(call: LarkCall): void {
    const { rates, limits } = this.#state;
    const wait =
      rates.take(call.endpoint, limits.perEndpoint, 1000, call.at) ??
      rates.take(`${call.endpoint} by the minute`, limits.perEndpointMinute, 60_000, call.at);
    if (wait !== undefined) refuseRate(wait);
    const cardId = call.params['card_id'];
    const cardWait = cardId === undefined ? undefined : rates.take(`card ${cardId}`, limits.perCard, 1000, call.at);
    if (cardWait !== undefined) refuseRate(cardWait);
  }

  #find(method: string, path: string): { route: LarkRoute; params: Record<string, string> } | undefined {
    for (const { route, method: wanted, pattern, names } of this.#routes) {
      const match = wanted === method ? pattern.exec(path) : null;
      if (match === null) continue;
      return {
        route,
        params: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)])),
      };
    }
    return undefined;
  }
}

function refuseRate(waitMs: number): never {
  const headers = { 'x-ogw-ratelimit-limit': '50', 'x-ogw-ratelimit-reset': String(Math.ceil(waitMs / 1000)) };
  throw new LarkRefusal(429, 99991400, 'request trigger frequency limit', headers);
}

function compile(route: LarkRoute): { route: LarkRoute; method: string; pattern: RegExp; names: string[] } {
  const [method, place] = route.endpoint.split(' ') as [string, string];
  const path = place.startsWith('/') ? place : `/open-apis/${place}`;
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return { route, method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`), names };
}

function readBody(raw: Buffer, contentType: string): Pick<LarkCall, 'body' | 'upload'> {
  if (!contentType.startsWith('multipart/form-data')) {
    return { body: parseObject(raw.toString()) ?? {}, upload: undefined };
  }
  const body: Record<string, unknown> = {};
  let upload: LarkCall['upload'];
  for (const { name, fileName, mediaType, bytes } of parseMultipart(raw, contentType)) {
    if (name === 'image' || name === 'file') upload = { name: fileName ?? '', mediaType: mediaType ?? '', bytes };
    else body[name] = Buffer.from(bytes).toString();
  }
  return { body, upload };
}

function send(response: ServerResponse, status: number, json: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(json));
}

function sendFile(response: ServerResponse, file: { bytes: Uint8Array; mediaType: string; name: string }): void {
  response.writeHead(200, {
    'content-type': file.mediaType,
    'content-length': file.bytes.length,
    'content-disposition': `attachment; filename="${encodeURIComponent(file.name)}"`,
  });
  response.end(file.bytes);
}
