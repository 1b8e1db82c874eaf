import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowSums } from './row-sums.ts';

const DIMENSIONS = 32;
const ROWS = 20;
const table = Int8Array.from({ length: ROWS * DIMENSIONS }, (_, at) => (at * 37) % 255);
const additions = fc.array(fc.record({ row: fc.nat(ROWS - 1), weight: fc.float({ min: -4, max: 4, noNaN: true }) }), {
  maxLength: ROWS,
});

/** The same, as one would write it down. */
function sumOf(rows: readonly { row: number; weight: number }[]): number[] {
  return Array.from({ length: DIMENSIONS }, (_, at) =>
    rows.reduce((sum, { row, weight }) => sum + weight * table[row * DIMENSIONS + at]!, 0),
  );
}

test('a sum is that of its rows, each with its weight, and nothing is left of the one before', () => {
  const sums = new RowSums(table, DIMENSIONS, ROWS);
  fc.assert(
    fc.property(additions, (rows) => {
      for (const { row, weight } of rows) sums.add(row, weight);
      const sum = sums.finish();
      for (const [at, value] of sumOf(rows).entries()) expect(sum[at]).toBeCloseTo(value, 2);
    }),
  );
});

test('a row may come more than once', () => {
  const sums = new RowSums(
    Int8Array.from({ length: 32 }, (_, at) => at),
    32,
    2,
  );
  sums.add(0, 0.5);
  sums.add(0, 2);

  expect([...sums.finish()].slice(0, 4)).toEqual([0, 2.5, 5, 7.5]);
});

test('the sum of no rows is nothing', () => {
  expect([...new RowSums(table, DIMENSIONS, ROWS).finish()]).toEqual(Array<number>(DIMENSIONS).fill(0));
});
