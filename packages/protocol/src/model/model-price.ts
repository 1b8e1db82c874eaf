import type { ModelUsage } from './model-event.ts';

/** US dollars for a million tokens of each kind. */
interface TokenPrices {
  input: number;
  output: number;
  /** As `input` where it is absent. */
  cacheRead?: number | undefined;
  /** As `input` where it is absent. */
  cacheWrite?: number | undefined;
}

/** What a model costs. */
export interface ModelPrice extends TokenPrices {
  /** Prices for the whole request when the prompt has more than this many tokens. */
  tiers?: readonly (TokenPrices & { above: number })[] | undefined;
  /** What a call costs whose prompt has more tokens than this is not known. */
  upTo?: number | undefined;
}

const MILLION = 1_000_000;

/** What a call cost in US dollars; undefined where nobody knows. `inputTokens` includes what was read from and written to a cache. */
export function priceOfUsage(usage: ModelUsage, price: ModelPrice): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (price.upTo !== undefined && inputTokens > price.upTo) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = pricesFor(inputTokens, price);
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return (
    (plain * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / MILLION
  );
}

function pricesFor(inputTokens: number, price: ModelPrice): TokenPrices {
  let found: TokenPrices & { above?: number } = price;
  for (const tier of price.tiers ?? []) if (inputTokens > tier.above && tier.above >= (found.above ?? 0)) found = tier;
  return found;
}
