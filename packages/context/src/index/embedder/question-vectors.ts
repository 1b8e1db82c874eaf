import { DragomanError } from '@dragoman/protocol/error';
import { RecentlyUsed } from '../checkpoints/recently-used.ts';
import { reasonOf } from '../blobs/tell-store-failure.ts';
import { readQuestion } from '../rank/question.ts';
import type { Embedder } from './embedder.ts';
import { padVector } from './pad-vector.ts';

/** Whoever asks is waiting; words alone answer in milliseconds. */
const LIMIT_MS = 2_000;
/** Where the question has waited for vectors already. */
const SHORT_LIMIT_MS = 500;
/** Agents ask the same again, and people refine what else they look at. */
const MOST_KEPT = 256;

export interface QuestionVectorsOptions {
  limitMs?: number | undefined;
  /** Whether the question has waited for vectors of files before. */
  hasWaited?: (() => boolean) | undefined;
  /** Is told when one was made. */
  answered?: (() => void) | undefined;
}

/** The vectors of questions. The last ones are kept. */
export class QuestionVectors {
  readonly #embedder: Embedder;
  readonly #log: { warn(facts: object, message: string): void };
  readonly #limitMs: number;
  readonly #hasWaited: () => boolean;
  readonly #answered: (() => void) | undefined;
  readonly #kept = new RecentlyUsed<Float32Array>(MOST_KEPT, () => 1);

  constructor(
    embedder: Embedder,
    log: { warn(facts: object, message: string): void },
    { limitMs = LIMIT_MS, hasWaited = () => false, answered }: QuestionVectorsOptions = {},
  ) {
    this.#embedder = embedder;
    this.#log = log;
    this.#limitMs = limitMs;
    this.#hasWaited = hasWaited;
    this.#answered = answered;
  }

  /** Undefined where the question is a name, or its vector cannot be had in time: then words alone answer it. Never throws. */
  async of(query: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    if (!readQuestion(query).hasMeaning) return undefined;
    const kept = this.#kept.get(query);
    if (kept !== undefined) return kept;
    const inTime = AbortSignal.timeout(this.#hasWaited() ? Math.min(SHORT_LIMIT_MS, this.#limitMs) : this.#limitMs);
    try {
      const [vector] = await this.#embedder.embed([query], signal ? AbortSignal.any([signal, inTime]) : inTime);
      if (vector!.every((number) => number === 0))
        throw new DragomanError('unavailable', `${this.#embedder.space} answered with a vector of nothing but zeros.`);
      const padded = padVector(vector!);
      this.#kept.set(query, padded);
      this.#answered?.();
      return padded;
    } catch (error) {
      if (signal?.aborted !== true) this.#tell(reasonOf(error));
      return undefined;
    }
  }

  /** The vector of this question turned out to be no match for those of files, also when these were made anew. */
  misfits(query: string): void {
    this.#kept.delete(query);
    this.#tell(`${this.#embedder.space} answered with a vector of other dimensions than those of files have.`);
  }

  #tell(reason: string): void {
    this.#log.warn(
      { vectors: this.#embedder.space, reason },
      'the vector of a question could not be had; it is answered by words alone',
    );
  }
}
