import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** How often the same may come in a row before it is judged an endless loop. */
export const DOOM_LOOP_THRESHOLD = 3;

/** A, B, A, B counts as a loop as well as A, A; so do patterns of three and four … */
const LONGEST_PERIOD = 4;
/** … and a step that makes more calls than that, again and again. */
const LONGEST_STEP = 256;

/** A pattern of calls that would come once too often. */
export interface Loop {
  tool: string;
  /** How often the pattern would have come. */
  count: number;
  /** How many calls the pattern is made of. */
  period: number;
}

/** A call that was let through; its result is told to it. */
export interface GuardedCall {
  /** Gives back a note for the model, when the next repetition would be one too many. */
  settle(result: string): string | undefined;
}

interface SeenCall {
  tool: string;
  key: string;
  result: string | undefined;
}

/**
 * Watches the tool calls of one turn, across its steps.
 *
 * Calls are the same when tool, input and result are: asking again and getting something new is progress. A pattern of up
 * to four calls, or of as many as a step makes at once, is looked for at the end of the list; text and thinking in between
 * do not hide it.
 */
export class ProgressGuard {
  readonly #threshold: number;
  readonly #calls: SeenCall[] = [];
  readonly #keys = new Set<string>();
  #longest = LONGEST_PERIOD;

  constructor(threshold = DOOM_LOOP_THRESHOLD) {
    this.#threshold = threshold;
  }

  /** Whether a call of the same tool with the same input was seen before. */
  hasSeen(tool: string, input: unknown): boolean {
    return this.#keys.has(keyOf(tool, input));
  }

  /** A step with that many calls begins. */
  startStep(calls: number): void {
    this.#longest = Math.max(LONGEST_PERIOD, Math.min(calls, LONGEST_STEP));
  }

  /** The loop that this call would close, or nothing: then it may run. */
  check(tool: string, input: unknown): Loop | undefined {
    const next: SeenCall = { tool, key: keyOf(tool, input), result: undefined };
    const calls = [...this.#callsBefore(this.#calls.length), next];
    for (let period = 1; period <= this.#longest; period++) {
      if (this.#repeats(calls, period, this.#threshold)) return { tool, count: this.#threshold, period };
    }
    return undefined;
  }

  /** Notes a call that is about to run. */
  start(tool: string, input: unknown): GuardedCall {
    const call: SeenCall = { tool, key: keyOf(tool, input), result: undefined };
    this.#calls.push(call);
    this.#keys.add(call.key);
    const index = this.#calls.length;
    return {
      settle: (result) => {
        call.result = digest(result);
        return this.#note(index);
      },
    };
  }

  #note(end: number): string | undefined {
    const calls = this.#callsBefore(end);
    for (let period = 1; period <= this.#longest; period++) {
      if (!this.#repeats(calls, period, this.#threshold - 1)) continue;
      const what = period === 1 ? 'This call' : `This pattern of ${period} calls`;
      return (
        `${what} has now come ${this.#threshold - 1} times in a row with the same input and the same result. ` +
        'Once more and the turn is ended. Do something else, or tell the user what is in the way.'
      );
    }
    return undefined;
  }

  /** The calls before a place, as far back as any pattern reaches. */
  #callsBefore(end: number): SeenCall[] {
    return this.#calls.slice(Math.max(0, end - this.#longest * this.#threshold), end);
  }

  /** Whether the list ends with `count` repetitions of a pattern of that length. A result that is not there yet equals any. */
  #repeats(calls: readonly SeenCall[], period: number, count: number): boolean {
    const length = period * count;
    if (count < 2 || calls.length < length) return false;
    const start = calls.length - length;
    for (let index = start + period; index < calls.length; index++) {
      const [earlier, later] = [calls[index - period]!, calls[index]!];
      if (earlier.key !== later.key) return false;
      const isLast = index === calls.length - 1;
      if (earlier.result === undefined || (later.result === undefined && !isLast)) return false;
      if (later.result !== undefined && earlier.result !== later.result) return false;
    }
    return !isShorterPattern(calls.slice(start, start + period));
  }
}

/** A, A is a pattern of one, not of two; the shorter one judges it. */
function isShorterPattern(pattern: readonly SeenCall[]): boolean {
  for (let period = 1; period < pattern.length; period++) {
    if (pattern.length % period !== 0) continue;
    if (pattern.every((call, index) => index < period || isSame(call, pattern[index - period]!))) return true;
  }
  return false;
}

function isSame(one: SeenCall, other: SeenCall): boolean {
  return one.key === other.key && one.result === other.result;
}

function keyOf(tool: string, input: unknown): string {
  return digest(`${tool}\0${canonicalJson(input)}`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
