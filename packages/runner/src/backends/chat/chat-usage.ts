import type { ContentBlockOf, ModelUsage } from '@dragoman/protocol';

/** US dollars for a million tokens. */
export interface ChatPrice {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
}

/** What an answer took: the provider's own figure of the cost where it gives one, else what the prices make of it. */
export function usageBlock(
  usage: ModelUsage,
  { price, contextTokens }: { price?: ChatPrice | undefined; contextTokens?: number | undefined },
): Omit<ContentBlockOf<'usage'>, 'type'> {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const cost = usage.cost ?? (price === undefined ? undefined : costAt(price, usage));
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    ...(reasoningTokens === undefined ? {} : { reasoning_tokens: reasoningTokens }),
    ...(cacheReadTokens === undefined ? {} : { cache_read_tokens: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
    ...(cost === undefined ? {} : { cost_usd: cost }),
    context_used: inputTokens + outputTokens,
    ...(contextTokens === undefined || contextTokens === 0 ? {} : { context_size: contextTokens }),
  };
}

function costAt(price: ChatPrice, usage: ModelUsage): number {
  const { inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWriteTokens: write = 0 } = usage;
  const plain = Math.max(0, inputTokens - read - write);
  const dollars =
    plain * price.input +
    read * (price.cacheRead ?? price.input) +
    write * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  return dollars / 1_000_000;
}
