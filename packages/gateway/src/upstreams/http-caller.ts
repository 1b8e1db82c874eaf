import { DragomanError, type ModelCall, type ModelEvent, type ModelSink } from '@dragoman/protocol';
import { activeTraceFields } from '@dragoman/server/base';
import type { Agent } from 'undici';
import { KeyPool } from '../routing/key-pool.ts';
import type { Target } from '../routing/target.ts';
import { ANSWER_LIMITS, answerTooLarge, PIECE_COST } from './answer-limits.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { parseAnswer } from './parse-answer.ts';
import { doHere } from './settings/do-here.ts';
import { weighSettings } from './settings/setting-fates.ts';
import type { AcceptedCall, FlowControl, HttpUpstream } from './upstream.ts';
import { hideInError, hideProviderSecrets, withoutProviderSecrets } from './provider-secrets.ts';
import { brokenOff, toBrokenAnswer, toConnectionError, toUpstreamError } from './upstream-error.ts';

/** An error's body is read up to here; providers' pages can be long. */
const MAX_ERROR_BYTES = 64 * 1024;
/** A provider that drips its error does not keep the next target waiting. */
const MAX_ERROR_MS = 5_000;

export interface HttpRequest {
  path: string;
  headers: Record<string, string>;
  /** Null for a question that is asked with GET. The path that a provider has for its calls is not for those. */
  body: string | Uint8Array | null;
  /** For a question without a body that is not asked with GET. */
  method?: 'GET' | 'DELETE';
}

/** Makes HTTP calls to providers: connections, keys and time limits are kept here. */
export class HttpCaller {
  readonly #agents = new Map<number, Agent>();
  readonly #pools = new Map<string, KeyPool>();
  /** Is told of each key that rests. */
  onKeyRest: ((key: string, restMs: number) => void) | undefined;

  /** Opens a model call; another key of the same provider is tried when one is refused or has reached its limit. */
  async open(
    upstream: HttpUpstream,
    call: ModelCall,
    target: Target,
    isStreamed: boolean,
    signal: AbortSignal,
  ): Promise<AcceptedCall> {
    const { leftOut, doneHere } = weighSettings(call, target, upstream.fates);
    const response = await this.send(upstream, target, upstream.encodeRequest(call, target, isStreamed), signal);
    if (PAGES.test(response.headers['content-type'] ?? '')) throw refuseContent(response, target);
    const isEventStream = isStreamed && response.headers['content-type']?.startsWith('application/json') !== true;
    return {
      leftOut,
      run: (sink, flow) =>
        isEventStream
          ? runStreamed(response, upstream, target, doHere(call, doneHere, sink), flow)
          : runWhole(response, upstream, target, doHere(call, doneHere, sink)),
    };
  }

  /** Sends a request and gives back the answer once its status is good. */
  async send(upstream: HttpUpstream, target: Target, sent: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const pool = this.#poolOf(target);
    for (let attempt = 1; ; attempt++) {
      const key = pool.take();
      try {
        return await this.#sendWith(key, upstream, target, sent, signal);
      } catch (error) {
        const known = hideInError(toConnectionError(target.providerName, error), target.provider);
        if (key !== undefined) pool.rest(key, known);
        const isAboutKey = known.code === 'rate-limited' || known.code === 'forbidden';
        if (!isAboutKey || attempt >= pool.size) throw known;
      }
    }
  }

  /** Another process heard that a key rests. */
  restKey(isMeant: (key: string) => boolean, restMs: number): void {
    for (const pool of this.#pools.values()) pool.restsElsewhere(isMeant, restMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  async #sendWith(
    key: string | undefined,
    upstream: HttpUpstream,
    target: Target,
    sent: HttpRequest,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { provider } = target;
    const kind = sent.body === null ? 'accept' : 'content-type';
    const headers: Record<string, string> = { [kind]: 'application/json', ...activeTraceFields(), ...sent.headers };
    if (key !== undefined) Object.assign(headers, upstream.authorize(key));
    for (const [name, value] of Object.entries(provider.headers)) headers[name.toLowerCase()] = value.reveal();

    const answer = await exchange(
      await this.#agentFor(provider.timeouts.connectMs),
      {
        url: callUrl(upstream, target, sent),
        headers,
        body: sent.body,
        method: sent.method ?? (sent.body === null ? 'GET' : 'POST'),
        firstByteMs: provider.timeouts.firstByteMs,
        idleMs: provider.timeouts.idleMs,
      },
      signal,
    );
    if (answer.status >= 200 && answer.status < 300) return answer;
    const body = withoutProviderSecrets(await readBeginning(answer), provider);
    throw toUpstreamError(target.providerName, {
      protocol: provider.type,
      status: answer.status,
      body,
      headers: hideInHeaders(answer.headers, provider),
    });
  }

  /**
   * undici is loaded with the first call: a server that starts need not wait for it. Its agent alone is a third of the
   * whole package, in time and in memory.
   */
  async #agentFor(connectMs: number): Promise<Agent> {
    const known = this.#agents.get(connectMs);
    if (known !== undefined) return known;
    const { default: NewAgent } = await import('undici/lib/dispatcher/agent.js');
    const agent =
      this.#agents.get(connectMs) ??
      new NewAgent({ connect: { timeout: connectMs }, keepAliveTimeout: 30_000, connections: null });
    this.#agents.set(connectMs, agent);
    return agent;
  }

  /** Keys that were edited in the configuration make a pool of their own. */
  #poolOf({ providerName, provider }: Target): KeyPool {
    const secrets =
      provider.apiKey === undefined ? [] : Array.isArray(provider.apiKey) ? provider.apiKey : [provider.apiKey];
    const keys = secrets.map((secret) => secret.reveal());
    const name = JSON.stringify([providerName, keys]);
    let pool = this.#pools.get(name);
    if (pool === undefined) {
      pool = new KeyPool(keys, { onRest: (key, restMs) => this.onKeyRest?.(key, restMs) });
      this.#pools.set(name, pool);
    }
    return pool;
  }
}

/** A path with `.` or `..` in it leads elsewhere than it says, and only the name of a model can bring them there. */
const CLIMBING = /(?:^|\/)\.{1,2}(?:[/?]|$)/;

function callUrl(
  upstream: HttpUpstream,
  { provider, providerName, model }: Target,
  { path, body }: HttpRequest,
): string {
  const base = provider.baseUrl ?? upstream.defaultBaseUrl;
  if (base === undefined) throw new DragomanError('config-invalid', `The provider "${providerName}" needs a baseUrl.`);
  const behind =
    provider.path === undefined || body === null
      ? path
      : provider.path.replaceAll('{model}', encodeURIComponent(model));
  if (CLIMBING.test(behind)) throw new DragomanError('bad-request', `"${model}" is not the name of a model.`);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(provider.query)) query.set(name, value.reveal());
  const joint = behind.includes('?') ? '&' : '?';
  return `${base.replace(/\/+$/, '')}${behind}${query.size === 0 ? '' : `${joint}${query.toString()}`}`;
}

/** What no service for models answers with, though what stands before it may. */
const PAGES = /^(?:text\/html|(?:text|application)\/(?:\w+\+)?xml|image\/)/i;

/** Gives up an answer of a kind that was not asked for. */
export function refuseContent(answer: HttpAnswer, { provider, providerName }: Target): DragomanError {
  answer.abort();
  answer.read({ data() {}, end() {}, error() {} });
  const said = hideProviderSecrets(answer.headers['content-type'] ?? '', provider).slice(0, 60);
  return new DragomanError(
    'unavailable',
    `The provider "${providerName}" answered with ${said === '' ? 'no content type' : said}instead of the expected format.`,
    { isRetryable: true },
  );
}

/** The whole body. One that is larger than the limit is given up. */
export function readText(answer: HttpAnswer, limit: number = ANSWER_LIMITS.bodyBytes): Promise<string> {
  const pieces: Buffer[] = [];
  let cost = 0;
  return new Promise((resolve, reject) => {
    answer.read({
      data(bytes) {
        pieces.push(bytes);
        cost += bytes.length + PIECE_COST;
        if (cost <= limit) return;
        pieces.length = 0;
        reject(answerTooLarge(`more than ${limit} bytes`));
        answer.abort(); // Which is an error of the connection, too.
      },
      end: () => resolve(Buffer.concat(pieces).toString('utf8')),
      error: reject,
    });
  });
}

function hideInHeaders(headers: HttpAnswer['headers'], provider: Target['provider']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, hideProviderSecrets(value, provider)]] : [],
    ),
  );
}

/** What there is of an error's body, up to its limits. */
function readBeginning(answer: HttpAnswer): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  return new Promise((resolve) => {
    const late = setTimeout(() => answer.abort(), MAX_ERROR_MS);
    const finish = () => {
      clearTimeout(late);
      resolve(Buffer.concat(pieces).subarray(0, MAX_ERROR_BYTES).toString('utf8'));
    };
    answer.read({
      data(bytes) {
        pieces.push(bytes);
        length += bytes.length;
        if (length >= MAX_ERROR_BYTES) answer.abort();
      },
      end: finish,
      error: finish,
    });
  });
}

/** Events are pushed as the bytes come, with plain calls; nothing waits on a promise per event. */
function runStreamed(
  answer: HttpAnswer,
  upstream: HttpUpstream,
  target: Target,
  sink: ModelSink,
  flow?: FlowControl,
): Promise<void> {
  const once = endOnce(sink);
  const decoder = upstream.decodeStream(once);
  const misread = (error: unknown) =>
    once.push({
      type: 'error',
      error:
        error instanceof DragomanError
          ? error
          : new DragomanError('unavailable', `The answer of "${target.providerName}" cannot be read.`, {
              cause: error,
              isRetryable: true,
            }),
    });
  let length = 0;
  return new Promise((resolve) => {
    answer.read({
      data(bytes) {
        try {
          length += bytes.length;
          if (length > ANSWER_LIMITS.streamBytes) throw answerTooLarge(`more than ${ANSWER_LIMITS.streamBytes} bytes`);
          decoder.feed(bytes);
        } catch (error) {
          misread(error);
          answer.abort();
        }
        if (flow === undefined || !flow.afterRead()) return;
        answer.pause();
        void flow.untilReady().then(() => answer.resume());
      },
      end() {
        try {
          decoder.end();
        } catch (error) {
          misread(error);
        }
        flow?.afterRead();
        resolve();
      },
      error(error) {
        once.push({ type: 'error', error: toBrokenAnswer(target.providerName, error) });
        flow?.afterRead();
        resolve();
      },
    });
  });
}

async function runWhole(answer: HttpAnswer, upstream: HttpUpstream, target: Target, sink: ModelSink): Promise<void> {
  const once = endOnce(sink);
  try {
    const body = parseAnswer(await readText(answer));
    if (body === undefined) throw brokenOff();
    upstream.decodeResponse(body, once);
  } catch (error) {
    once.push({ type: 'error', error: toConnectionError(target.providerName, error) });
  }
}

/** An answer ends once, whatever happens to its connection afterwards. */
function endOnce(sink: ModelSink): ModelSink {
  let isOver = false;
  return {
    push(event: ModelEvent) {
      if (isOver) return;
      isOver = event.type === 'finish' || event.type === 'error';
      sink.push(event);
    },
  };
}
