import type { AgentError } from '@dragoman/protocol';

/** So many compactions in a row that did not help are enough. */
const MOST_IN_VAIN = 2;

/**
 * Sees to it that shortening cannot go on for ever: a compaction after which the next answer is too long again was in
 * vain, and after two of those the turn ends with an error of its own.
 */
export class CompactionBreaker {
  #stepsSince = Number.POSITIVE_INFINITY;
  #inVain = 0;

  /** A model call came back. */
  stepped(): void {
    this.#stepsSince++;
    if (this.#stepsSince > 1) this.#inVain = 0;
  }

  /** The prompt is too long. Gives back the error that ends the turn when shortening it again makes no sense. */
  trip(tokens: number, usable: number): AgentError | undefined {
    if (this.#stepsSince <= 1) this.#inVain++;
    if (this.#inVain >= MOST_IN_VAIN)
      return {
        code: 'context-overflow',
        message: `The conversation is too long for the model: ${tokens} tokens after ${MOST_IN_VAIN} summaries, with room for ${usable}. Use a model with a larger context, or start a new session.`,
        details: { tokens, usable },
      };
    this.#stepsSince = 0;
    return undefined;
  }
}
