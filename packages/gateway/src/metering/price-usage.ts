import type { ModelUsage } from '@dragoman/protocol';
import type { Target } from '../routing/target.ts';
import type { UsageRecord } from './usage-record.ts';

const MILLION = 1_000_000;

/** The provider's own figure where it gives one, else what the configured prices make of the tokens. */
export function priceUsage(usage: ModelUsage | undefined, target: Target | undefined): UsageRecord['cost'] {
  if (usage === undefined || target === undefined) return undefined;
  if (usage.cost !== undefined) return { dollars: usage.cost, source: 'provider' };
  const price = target.provider.prices[target.model] ?? target.provider.prices['*'];
  if (price === undefined) return undefined;
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  const plain = Math.max(0, usage.inputTokens - cacheRead - cacheWrite);
  const dollars =
    (plain * price.input +
      cacheRead * (price.cacheRead ?? price.input) +
      cacheWrite * (price.cacheWrite ?? price.input) +
      usage.outputTokens * price.output) /
    MILLION;
  return { dollars, source: 'computed' };
}
