import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { optional } from '../optional.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { readText } from '../upstreams/http-caller.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import { httpUpstream, type UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { cutText, MOST_TEXT_BYTES } from './batch-texts.ts';
import type { EmbeddingTarget } from './find-embedder.ts';
import { readVectors, type VectorAnswer } from './read-vectors.ts';

/** A model that takes less is given a quarter of each text, and a quarter of that. */
const LEAST_TEXT_BYTES = 500;
const TOO_LONG: ReadonlySet<DragomanErrorCode> = new Set(['context-overflow', 'too-large']);

/** What may pass by itself. A refused key or an unknown model does not. */
const PASSING: ReadonlySet<DragomanErrorCode> = new Set(['rate-limited', 'unavailable', 'timed-out']);
const MOST_ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
/** A provider that asks for more is not waited for. */
const MOST_WAIT_MS = 30_000;

/** What one request for vectors needs. */
export interface VectorAsk {
  target: EmbeddingTarget;
  /** How many numbers a vector shall have; absent where the model decides. */
  dimensions: number | undefined;
  upstreams: UpstreamRegistry;
  signal: AbortSignal;
}

/**
 * The vectors of one batch. Asks again where the provider is busy or down for a moment, after the time it asks for. Where time
 * runs out meanwhile, what the provider said is thrown: it tells more than that.
 */
export async function askForVectors(texts: readonly string[], ask: VectorAsk): Promise<VectorAnswer> {
  const { target, signal } = ask;
  let mostBytes = MOST_TEXT_BYTES;
  let said: DragomanError | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(
        texts.map((text) => cutText(text, mostBytes)),
        ask,
      );
    } catch (thrown) {
      const error = toConnectionError(target.providerName, thrown);
      if (signal.aborted) throw isTimeout(signal.reason) ? (said ?? error) : error;
      if (attempt === MOST_ATTEMPTS) throw error;
      said = error;
      if (TOO_LONG.has(error.code) && mostBytes > LEAST_TEXT_BYTES) mostBytes /= 4;
      else
        await delay(waitBefore(attempt, error), undefined, { signal }).catch((left: unknown) => {
          throw isTimeout(signal.reason) ? error : left;
        });
    }
  }
}

/** Whether time ran out, rather than somebody left. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

function waitBefore(attempt: number, error: DragomanError): number {
  const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
  if (!error.isRetryable || !PASSING.has(error.code) || waitMs > MOST_WAIT_MS) throw error;
  return waitMs;
}

async function askOnce(
  texts: readonly string[],
  { target: embedder, dimensions, upstreams, signal }: VectorAsk,
): Promise<VectorAnswer> {
  const { target, path } = besideChat(embedder, embedder.path);
  // Which form numbers come in is left open: numbers are the rule, and some refuse to be told so.
  const body = JSON.stringify({ model: target.model, input: texts, ...optional('dimensions', dimensions) });
  const upstream = await httpUpstream(target.provider.type);
  const headers = { accept: 'application/json' };
  const answer = await upstreams.http.send(upstream, target, { path, headers, body }, signal);
  const read = readVectors(await readText(answer), texts.length, dimensions);
  if (typeof read !== 'string') return read;
  throw new DragomanError('unavailable', `The provider "${target.providerName}" ${read}`);
}
