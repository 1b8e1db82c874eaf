import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  DragomanError,
  HUB_ROUTES,
  type HubLink,
  type ApiRoute,
  type RunnerMessage,
  serverEventReader,
} from '@dragoman/protocol';
import type { Agent, Dispatcher } from 'undici';
import { type TimeLimit, withTimeLimit } from '../time-limit.ts';
import { outdatedHub, toLinkError, toRefusal } from './link-error.ts';

/** Where the hub is, and as whom the runner calls it. */
export interface HttpLinkOptions {
  /** Such as `https://hub.example`; with or without a path and a slash at its end. */
  url: string;
  token: string;
  timeouts?: Partial<HttpLinkTimeouts>;
}

/** In milliseconds. */
export interface HttpLinkTimeouts {
  /** From the beginning of a call to the end of its answer. */
  callMs: number;
  /** The hub gives a sign every 15 seconds; a stream without one for this long is dead. */
  silenceMs: number;
}

/** A link that holds connections. */
export interface HttpLink extends HubLink {
  /** Ends every call and every connection. */
  close(): Promise<void>;
}

const TIMEOUTS: HttpLinkTimeouts = { callMs: 10_000, silenceMs: 40_000 };
const CONNECT_MS = 5_000;
/** Above this a body is packed; below, packing costs more than it saves. */
const MIN_PACKED_LENGTH = 4 * 1024;
/** What the hub answers is short; a page of something else may not be. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const packed = promisify(gzip);

/**
 * A runner's way to a hub on another machine. Connections are kept open between calls.
 *
 * Nothing is repeated here; the runner knows what it may send again. What it should know is in the error: `isRetryable`
 * for what passes by itself, `unauthenticated` or `forbidden` for a token that will not do, an `OutboxGapError` with the
 * number the hub has, `not-found` for a
 * server that takes no runners.
 */
export function httpLink(options: HttpLinkOptions): HttpLink {
  const url = options.url.replace(/\/+$/, '');
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const closing = new AbortController();
  let agent: Promise<Agent> | undefined;
  const openAgent = () => (agent ??= newAgent(Math.min(CONNECT_MS, timeouts.callMs)));
  /** Where one connection is dead without a word, those that rest are too, and each would cost another call its time. */
  const leave = (dead: Promise<Agent>) => {
    if (agent === dead) agent = undefined;
    void dead.then((left) => left.destroy());
  };

  const withinLimit = <Result>(signal: AbortSignal | undefined, work: (limit: CallLimit) => Promise<Result>) => {
    const opened = openAgent();
    return withTimeLimit([closing.signal, signal], (limit) => {
      limit.allow(timeouts.callMs, `${url} did not answer within ${timeouts.callMs} ms.`);
      return work({ ...limit, agent: opened });
    }).catch((error: unknown) => {
      if (error instanceof DragomanError && error.code === 'timed-out') leave(opened);
      throw toLinkError(url, error);
    });
  };

  /** Sends a request and gives back the answer once its status is good. */
  const request = async (route: ApiRoute, params: Params, body: unknown, limit: CallLimit) => {
    const path = route.path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name]!));
    const { request: send } = await import('undici');
    const answer = await send(url + path, {
      dispatcher: await limit.agent,
      method: route.method,
      ...(await bodyOf(body, {
        authorization: `Bearer ${options.token}`,
        accept: route.answers === 'events' ? 'text/event-stream' : 'application/json',
      })),
      signal: limit.signal,
    });
    if (answer.statusCode >= 200 && answer.statusCode <= 299) return answer;
    const retryAfter = answer.headers['retry-after'];
    throw toRefusal(url, {
      call: `${route.method} ${path}`,
      status: answer.statusCode,
      text: await readText(answer.body, url),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
    });
  };

  /** A call with an answer. */
  const call = (route: ApiRoute, params: Params, body: unknown, signal?: AbortSignal) =>
    withinLimit(signal, async (limit) => {
      const answer = await request(route, params, body, limit);
      return readJson(await readText(answer.body, url), url);
    });

  return {
    hello: async (hello, signal) => readAcked(await call(HUB_ROUTES.runnerHello, {}, hello, signal), url),
    send: async (runnerId, batch, signal) =>
      readAcked(await call(HUB_ROUTES.runnerEvents, { runnerId }, batch, signal), url),
    listen: (runnerId, receive, signal) =>
      withinLimit(signal, async (limit) => {
        const answer = await request(HUB_ROUTES.runnerCommands, { runnerId }, undefined, limit);
        if (!String(answer.headers['content-type']).startsWith('text/event-stream')) {
          answer.body.on('error', () => {}).destroy();
          throw outdatedHub(url);
        }
        const signOfLife = () =>
          limit.allow(timeouts.silenceMs, `${url} has been silent for ${timeouts.silenceMs} ms.`);
        const events = serverEventReader(({ data }) => receive(readJson(data, url) as RunnerMessage));
        signOfLife();
        for await (const piece of answer.body as AsyncIterable<Buffer>) {
          signOfLife();
          events.feed(piece);
        }
        throw new DragomanError('unavailable', `${url} ended the stream of commands.`, { isRetryable: true });
      }),
    reply: async (runnerId, askId, answer) => {
      await call(HUB_ROUTES.runnerReply, { runnerId, askId }, answer);
    },
    close: async () => {
      closing.abort();
      await (await agent)?.destroy();
    },
  };
}

type Params = Readonly<Record<string, string>>;

/** The clock of a call, and the connections it may use. */
type CallLimit = TimeLimit & { agent: Promise<Agent> };

/**
 * undici is loaded with the first call. The time limits are ours, so its own are off. HTTP/2 is off too: a call that is
 * given up then ends its connection, so that the next one does not go to the same dead place.
 */
async function newAgent(connectMs: number): Promise<Agent> {
  const { Agent: NewAgent } = await import('undici');
  return new NewAgent({
    allowH2: false,
    connect: { timeout: connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 30_000,
  });
}

async function bodyOf(
  body: unknown,
  headers: Record<string, string>,
): Promise<Pick<Dispatcher.RequestOptions, 'headers' | 'body'>> {
  if (body === undefined) return { headers };
  const text = JSON.stringify(body);
  const json = { ...headers, 'content-type': 'application/json' };
  if (text.length < MIN_PACKED_LENGTH) return { headers: json, body: text };
  return { headers: { ...json, 'content-encoding': 'gzip' }, body: await packed(text, { level: 1 }) };
}

async function readText(body: AsyncIterable<Buffer>, url: string): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAX_ANSWER_BYTES)
      throw new DragomanError('unavailable', `An answer of ${url} is larger than ${MAX_ANSWER_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function readJson(text: string, url: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new DragomanError('unavailable', `${url} did not answer with JSON; is it the address of a Dragoman hub?`);
  }
}

/** Everything after it is sent again or dropped by this number, so it is looked at closely. */
function readAcked(answer: unknown, url: string): { acked: number } {
  const acked = (answer as { acked?: unknown } | null)?.acked;
  if (typeof acked === 'number' && Number.isSafeInteger(acked) && acked >= 0) return { acked };
  throw outdatedHub(url);
}
