import { DragomanError } from '@dragoman/protocol/error';
import { reasonOf } from '../blobs/tell-store-failure.ts';
import { embedSegment } from './embed-segment.ts';
import type { Embedder } from './embedder.ts';
import type { TextsOfSegment, VectorsOfSegment } from './segment-texts.ts';

/** After it failed, what makes vectors is left alone for so long: nobody is to wait for it again and again. */
const REST_MS = 30_000;
const noVectors = (): VectorsOfSegment => ({ chunks: new Uint8Array(), paths: new Uint8Array() });

/** What making them needs. */
export interface SegmentVectorsOptions {
  restMs?: number | undefined;
  /** Says when they are not wanted any more. */
  signal: AbortSignal;
}

/** How vectors are asked for. */
export interface VectorAsk {
  /** Says when the segment is not to wait for them any longer. */
  hurry?: AbortSignal | undefined;
  /** Whether they could not be had before: the same reason is not told again. */
  isAgain?: boolean;
}

/** Has the vectors of segments made, and says in one line where some could not be had. */
export class SegmentVectors {
  readonly #embedder: Embedder;
  readonly #log: { warn(facts: object, message: string): void };
  readonly #signal: AbortSignal;
  /** How long it is left alone after it failed. */
  readonly restMs: number;
  #restsUntil = 0;
  #told = '';

  constructor(
    embedder: Embedder,
    log: { warn(facts: object, message: string): void },
    { restMs = REST_MS, signal }: SegmentVectorsOptions,
  ) {
    this.#embedder = embedder;
    this.#log = log;
    this.restMs = restMs;
    this.#signal = signal;
  }

  /** For how long it is left alone from now on. */
  get restLeftMs(): number {
    return Math.max(0, this.#restsUntil - performance.now());
  }

  /**
   * Of all its texts, near to nothing for those that are refused. None at all where whoever makes them could not be had: then
   * they are made up for. Throws only where they are not wanted any more.
   */
  async of(
    texts: TextsOfSegment,
    { hurry, isAgain = false }: VectorAsk = {},
  ): Promise<{ made: VectorsOfSegment; isDown: boolean }> {
    const embedder = this.#embedder;
    const isResting = this.restLeftMs > 0 || hurry?.aborted === true;
    const asked = isResting ? resting(embedder) : hurry ? hurried(embedder, hurry) : embedder;
    const { vectors, missing, error, isDown } = await embedSegment(texts, asked, this.#signal);
    if (!isResting) this.#restsUntil = isDown ? performance.now() + this.restMs : 0;
    if (missing === 0) {
      this.#told = '';
      return { made: vectors, isDown };
    }
    const reason = reasonOf(error);
    if (!isAgain || reason !== this.#told)
      this.#log.warn(
        { vectors: embedder.space, missing, of: texts.chunks.length + texts.paths.length, reason },
        isDown ? WITHOUT_FOR_NOW : WITHOUT,
      );
    if (!isResting) this.#told = reason;
    return { made: isDown ? noVectors() : vectors, isDown };
  }
}

const WITHOUT = 'code has no vectors; words alone find it until it changes';
const WITHOUT_FOR_NOW = 'code has no vectors yet; words alone find it until the provider answers';

/** Gives up when the signal says so, too. */
function hurried(embedder: Embedder, hurry: AbortSignal): Embedder {
  return {
    space: embedder.space,
    embed: (texts, signal) => embedder.embed(texts, signal ? AbortSignal.any([signal, hurry]) : hurry),
  };
}

/** Fails at once. */
function resting({ space }: Embedder): Embedder {
  const error = new DragomanError('unavailable', `${space} failed a moment ago and is not asked now.`);
  return { space, embed: () => Promise.reject(error) };
}
