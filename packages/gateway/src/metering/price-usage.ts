import { type ModelUsage, priceOfUsage } from '@dragoman/protocol';
import { findPrice } from '../prices/find-price.ts';
import type { Target } from '../routing/target.ts';
import type { UsageRecord } from './usage-record.ts';

/** The provider's own figure where it gives one, else what the price of the model makes of the tokens; undefined where nobody knows. */
export function priceUsage(usage: ModelUsage | undefined, target: Target | undefined): UsageRecord['cost'] {
  if (usage === undefined || target === undefined) return undefined;
  if (usage.cost !== undefined) return { dollars: usage.cost, source: 'provider' };
  const found = findPrice(target);
  const dollars = found && priceOfUsage(usage, found.price);
  if (found === undefined || dollars === undefined) return undefined;
  return { dollars, source: found.from === 'built-in' ? 'built-in' : 'computed' };
}
