import { expect, test } from 'vitest';
import { tellCost } from './tell-cost.ts';

const words = { unknown: 'unknown', atLeast: (cost: string) => `at least ${cost}` };
const tell = (costDollars: number | null, unpricedCalls: number) =>
  tellCost({ costDollars, unpricedCalls }, words, (value) => `$${value.toFixed(2)}`);

test('a cost is told as it is, as the least that it was, or as unknown', () => {
  expect(tell(1.2, 0)).toBe('$1.20');
  expect(tell(1.2, 3)).toBe('at least $1.20');
  expect(tell(null, 3)).toBe('unknown');
  expect(tell(0, 0)).toBe('$0.00');
});
