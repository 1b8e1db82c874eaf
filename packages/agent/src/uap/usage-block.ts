import { type ContentBlockOf, type Tokens, totalTokens } from '@dragoman/protocol';

/** What a model call took; nothing where it took nothing. The cache is part of the input, and reasoning of the output. */
export function usageBlock(tokens: Tokens, cost: number): ContentBlockOf<'usage'> | undefined {
  if (totalTokens(tokens) === 0 && cost === 0) return undefined;
  const { input, output, reasoning, cache } = tokens;
  return {
    type: 'usage',
    input_tokens: input + cache.read + cache.write,
    output_tokens: output + reasoning,
    ...(reasoning > 0 ? { reasoning_tokens: reasoning } : {}),
    ...(cache.read > 0 ? { cache_read_tokens: cache.read } : {}),
    ...(cache.write > 0 ? { cache_write_tokens: cache.write } : {}),
    ...(cost > 0 ? { cost_usd: cost } : {}),
  };
}
