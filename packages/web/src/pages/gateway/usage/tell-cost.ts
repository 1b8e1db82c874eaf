import type { UsageRow } from '@dragoman/protocol/console';

/** How a cost is told of which a part, or all, may not be known. */
export function tellCost(
  { costDollars, unpricedCalls }: Pick<UsageRow, 'costDollars' | 'unpricedCalls'>,
  words: { unknown: string; atLeast: (cost: string) => string },
  dollars: (value: number) => string,
): string {
  if (costDollars === null) return words.unknown;
  return unpricedCalls > 0 ? words.atLeast(dollars(costDollars)) : dollars(costDollars);
}
