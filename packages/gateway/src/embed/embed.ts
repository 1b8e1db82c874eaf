import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { inTurns } from '@dragoman/server/base';
import type { ProviderConfig } from '../config/gateway-config.ts';
import { noteSideCall, type SideCall } from '../metering/note-side-call.ts';
import { optional } from '../optional.ts';
import { each, Redaction } from '../policy/redaction.ts';
import { routeTo } from '../routing/resolve-route.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { askForVectors, isTimeout } from './ask-for-vectors.ts';
import { batchTexts, cutText, MOST_TEXT_BYTES } from './batch-texts.ts';
import { type EmbeddingTarget, findEmbedder } from './find-embedder.ts';
import type { VectorAnswer } from './read-vectors.ts';

/** How these calls are told from others, where the dialect stands. */
const DIALECT = 'embeddings';
/** For one batch, with all its attempts. */
const LIMIT_MS = 120_000;
/** Batches that are asked for at a time. */
const LANES = 4;

/** What making vectors needs. */
export interface EmbedOptions {
  /** "provider/model", such as "openai/text-embedding-3-small". */
  model: string;
  /** How many numbers a vector shall have; absent where the model decides. */
  dimensions?: number | undefined;
  providers: Readonly<Record<string, ProviderConfig>>;
  /** Connections and key pools. */
  upstreams: UpstreamRegistry;
  /** Whether keys and tokens are taken out of the texts, as out of prompts. */
  isRedacted: boolean;
  /** Where the call is noted, and whose it is; without it it is not. */
  notes?: SideCall['notes'];
  signal: AbortSignal;
  limitMs?: number;
}

/**
 * Has vectors of texts made by a provider that speaks OpenAI's protocol: one for each, in their order, all of one length.
 *
 * A second key is tried where the first is refused, as for other calls; another provider is not: vectors of two models cannot
 * be compared, and what is written is sent only where somebody decided that it goes. All texts get a vector, or it throws.
 */
export async function embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
  const { model, providers, signal, notes, limitMs = LIMIT_MS } = options;
  const target = findEmbedder(model, providers);
  const redaction = new Redaction();
  const redacted = options.isRedacted
    ? await inTurns(
        each(texts, (text) => redaction.toolText(text)),
        signal,
      )
    : texts;
  return noteSideCall(
    {
      dialect: DIALECT,
      model,
      route: routeTo(target, model, options.isRedacted),
      asksEachOnce: true,
      notes,
      signal,
      redactions: redaction.count,
      toError: (thrown) => toEmbedError(thrown, { model, target, signal, limitMs }),
    },
    async (_, measure) => {
      const batches = batchTexts(redacted.map((text) => cutText(text, MOST_TEXT_BYTES)));
      const answers = await askInLanes(batches, target, { ...options, limitMs });
      const tokens = answers.flatMap(({ inputTokens }) => inputTokens ?? []);
      if (tokens.length > 0) measure.usage = { inputTokens: sum(tokens), outputTokens: 0 };
      return ofOneLength(
        answers.flatMap(({ vectors }) => vectors),
        target,
      );
    },
  );
}

/** The first batch that fails ends all of them. */
async function askInLanes(
  batches: readonly string[][],
  target: EmbeddingTarget,
  { dimensions, upstreams, signal, limitMs }: EmbedOptions & { limitMs: number },
): Promise<VectorAnswer[]> {
  const failed = new AbortController();
  const answers: VectorAnswer[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < batches.length; at = next++) {
      const tooLong = AbortSignal.timeout(limitMs);
      const ask = { target, dimensions, upstreams, signal: AbortSignal.any([signal, failed.signal, tooLong]) };
      answers[at] = await askForVectors(batches[at]!, ask).catch((thrown: unknown) => {
        throw tooLong.aborted && !isSaid(thrown) ? tooLong.reason : thrown;
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(LANES, batches.length) }, lane));
  } catch (error) {
    failed.abort();
    throw error;
  }
  return answers;
}

function ofOneLength(vectors: Float32Array[], { providerName }: EmbeddingTarget): Float32Array[] {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (lengths.size <= 1) return vectors;
  throw new DragomanError(
    'unavailable',
    `The provider "${providerName}" returned vectors of different sizes: ${[...lengths].join(' and ')}`,
  );
}

/** What a person can do about it. */
const ADVICE: Partial<Record<DragomanErrorCode, string>> = {
  forbidden: 'Check its key.',
  'not-found': 'Check that it has a model of this name.',
  'bad-request': 'Check the model and, where they are set, its dimensions.',
  'context-overflow': 'Choose a model that accepts longer texts.',
  'too-large': 'Choose a model that accepts longer texts.',
  'rate-limited': 'Try again later, or raise the limit of the account.',
};

function toEmbedError(
  thrown: unknown,
  { model, target, signal, limitMs }: { model: string; target: EmbeddingTarget; signal: AbortSignal; limitMs: number },
): DragomanError {
  if ((isTimeout(signal.reason) && !isSaid(thrown)) || isTimeout(thrown)) {
    const limit = isTimeout(signal.reason) ? '' : ` (limit: ${limitMs} ms)`;
    return new DragomanError('timed-out', `${model} did not create embeddings in time${limit}.`, {
      cause: thrown,
      isRetryable: true,
    });
  }
  const error = toConnectionError(target.providerName, thrown);
  if (error.code === 'cancelled') return error;
  const advice = ADVICE[error.code] ?? 'Check that it is running and can create embeddings.';
  return new DragomanError(
    error.code,
    `${model} could not create embeddings: ${error.message.replace(/\.$/, '')}. ${advice}`,
    {
      cause: error,
      isRetryable: error.isRetryable,
      ...optional('retryAfterMs', error.retryAfterMs),
    },
  );
}

/** Whether it is about the provider, rather than that it was not waited for. */
function isSaid(thrown: unknown): boolean {
  return thrown instanceof DragomanError && thrown.code !== 'timed-out' && thrown.code !== 'cancelled';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
