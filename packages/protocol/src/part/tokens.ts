import { z } from 'zod';

/** What one or several model calls read and wrote. `input` is without the cache, so that nothing is counted twice. */
export const tokensSchema = z.object({
  input: z.number(),
  output: z.number().describe('Without reasoning.'),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
});
export type Tokens = z.infer<typeof tokensSchema>;

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
