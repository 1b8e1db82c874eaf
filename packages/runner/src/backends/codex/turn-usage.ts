import type { ContentBlockOf } from '@dragoman/protocol';
import { countIn, type Fields, fieldsIn } from '../../backend/fields.ts';

type Usage = Omit<ContentBlockOf<'usage'>, 'type'>;

/** What Codex counts, and what it is called here. What was given to the model includes what came from a cache. */
const COUNTS = {
  input_tokens: 'inputTokens',
  output_tokens: 'outputTokens',
  reasoning_tokens: 'reasoningOutputTokens',
  cache_read_tokens: 'cachedInputTokens',
  cache_write_tokens: 'cacheWriteInputTokens',
} as const;

/**
 * What each turn took. Codex tells the running total of the thread and what the last model call took, several times in a
 * turn and not always with something new; so a turn took what the total has grown by.
 */
export class TurnUsage {
  #before: Fields | undefined;
  #now: Fields | undefined;
  #context: Usage = {};

  constructor(isNew: boolean) {
    this.#before = isNew ? {} : undefined;
  }

  /** Takes `thread/tokenUsage/updated`. Outside of a turn it tells what a thread of earlier took. */
  take(tokenUsage: Fields, isTurn: boolean): void {
    const [total, last] = [fieldsIn(tokenUsage, 'total'), fieldsIn(tokenUsage, 'last')];
    if (!isTurn) {
      this.#before = total;
      return;
    }
    this.#before ??= difference(total, last);
    this.#now = total;
    const [used, size] = [countIn(last, 'totalTokens'), countIn(tokenUsage, 'modelContextWindow')];
    this.#context = {
      ...(used === undefined ? {} : { context_used: used }),
      ...(size === undefined || size === 0 ? {} : { context_size: size }),
    };
  }

  /** What the turn took that is over now; nothing where nothing was told. */
  turn(): Usage | undefined {
    if (this.#now === undefined) return undefined;
    const took = difference(this.#now, this.#before ?? {});
    this.#before = this.#now;
    this.#now = undefined;
    const counts = Object.entries(COUNTS).flatMap(([ours, theirs]) => {
      const count = countIn(took, theirs) ?? 0;
      return count === 0 ? [] : [[ours, count] as const];
    });
    return counts.length === 0 ? undefined : { ...Object.fromEntries(counts), ...this.#context };
  }
}

function difference(total: Fields, before: Fields): Fields {
  const counts = Object.values(COUNTS).map((name) => {
    return [name, Math.max(0, (countIn(total, name) ?? 0) - (countIn(before, name) ?? 0))] as const;
  });
  return Object.fromEntries(counts);
}
