import type { Tokens } from './tokens.ts';

/** Nothing read, nothing written. */
export const NO_TOKENS: Tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

/** Both together. */
export function addTokens(one: Tokens, other: Tokens): Tokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
    cache: { read: one.cache.read + other.cache.read, write: one.cache.write + other.cache.write },
  };
}

/** Everything the model had before it and wrote: what the next prompt is at least as long as. */
export function totalTokens({ input, output, reasoning, cache }: Tokens): number {
  return input + output + reasoning + cache.read + cache.write;
}
