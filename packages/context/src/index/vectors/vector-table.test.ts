import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VectorTable } from './vector-table.ts';

function tableOf(dimensions: number, vectors: Uint8Array): VectorTable {
  const table = new VectorTable(vectors.length / (dimensions / 2), dimensions);
  table.bytes.set(vectors);
  return table;
}

/** The same, as one would write it down. */
function products(query: Int8Array, vectors: Uint8Array): number[] {
  const bytes = query.length / 2;
  return Array.from({ length: vectors.length / bytes }, (_, row) => {
    const codes = codesOf(vectors.subarray(row * bytes, (row + 1) * bytes));
    return query.reduce((sum, number, index) => sum + number * (2 * codes[index]! - 15), 0);
  });
}

/** In the order of the numbers they stand for: of sixteen bytes first the low halves, then the high ones. */
function codesOf(packed: Uint8Array): number[] {
  return Array.from({ length: packed.length / 16 }, (_, block) => {
    const bytes = [...packed.subarray(block * 16, block * 16 + 16)];
    return [...bytes.map((byte) => byte % 16), ...bytes.map((byte) => Math.floor(byte / 16))];
  }).flat();
}

/** Bytes that differ from place to place, all 256 of them. */
function bytes(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => Math.imul(index + seed, 2_654_435_761) >> 13);
}

/** The same with a sign. */
function numbers(length: number, seed: number): Int8Array {
  return Int8Array.from(bytes(length, seed));
}

const int8s = (length: number) =>
  fc.oneof(
    fc.int8Array({ minLength: length, maxLength: length }),
    fc.array(fc.constantFrom(-128, 127), { minLength: length, maxLength: length }).map((all) => Int8Array.from(all)),
  );
const packed = (length: number) =>
  fc.oneof(
    fc.uint8Array({ minLength: length, maxLength: length }),
    fc
      .array(fc.constantFrom(0x00, 0x0f, 0xf0, 0xff), { minLength: length, maxLength: length })
      .map((all) => Uint8Array.from(all)),
  );
const scans = fc.record({ steps: fc.integer({ min: 1, max: 16 }), count: fc.nat(12) }).chain(({ steps, count }) =>
  fc.record({
    query: int8s(32 * steps),
    vectors: packed(16 * steps * count),
    bounds: fc.tuple(fc.nat(count), fc.nat(count)).map((both) => both.toSorted((one, other) => one - other)),
  }),
);

test('a scan tells the dot product of the query with each vector, whatever the numbers', () => {
  fc.assert(
    fc.property(scans, ({ query, vectors }) => {
      const table = tableOf(query.length, vectors);
      expect([...table.scan(query)]).toEqual(products(query, vectors));
    }),
  );
});

test('a scan of some vectors tells their products alone', () => {
  fc.assert(
    fc.property(scans, ({ query, vectors, bounds }) => {
      const [from, to] = bounds as [number, number];
      expect([...tableOf(query.length, vectors).scan(query, from, to)]).toEqual(
        products(query, vectors).slice(from, to),
      );
    }),
  );
});

test('the most extreme numbers neither wrap around nor saturate', () => {
  const table = tableOf(512, new Uint8Array(256 * 2).fill(0xff, 256));

  expect([...table.scan(new Int8Array(512).fill(-128))]).toEqual([983_040, -983_040]);
  expect([...table.scan(new Int8Array(512).fill(127))]).toEqual([-975_360, 975_360]);

  const longest = tableOf(65_536, new Uint8Array(32_768));
  expect([...longest.scan(new Int8Array(65_536).fill(-128))]).toEqual([125_829_120]);
});

test('a byte has a number of the first half of its block in the low four bits, one of the second half in the high ones', () => {
  const table = tableOf(64, new Uint8Array(32).fill(0x88).fill(0x2f, 17, 18));
  const only = (place: number) => new Int8Array(64).fill(1, place, place + 1);

  expect([16, 33, 34, 49, 50].map((place) => table.scan(only(place))[0])).toEqual([1, 15, 1, -11, 1]);
});

test('a table of many pages is read from a file to its last vector', () => {
  const vectors = bytes(128 * 1_001, 1);
  const query = numbers(256, 2);
  const file = join(tempFolder(), 'vectors');
  writeFileSync(file, vectors);
  const table = new VectorTable(1_001, 256);

  const descriptor = openSync(file, 'r');
  expect(readSync(descriptor, table.bytes)).toBe(128 * 1_001);
  closeSync(descriptor);

  expect([...table.scan(query)]).toEqual(products(query, vectors));
});

test('tables do not disturb one another', () => {
  const [one, other] = [bytes(32 * 100, 3), bytes(64 * 50, 4)];
  const [short, long] = [numbers(64, 5), numbers(128, 6)];
  const first = tableOf(64, one);
  const second = tableOf(128, other);

  const before = first.scan(short);
  expect([...second.scan(long)]).toEqual(products(long, other));
  second.bytes.fill(1);

  expect([...before]).toEqual(products(short, one));
  expect([...first.scan(short)]).toEqual(products(short, one));
});

test('a table without vectors has no products', () => {
  const table = new VectorTable(0, 256);

  expect(table.bytes).toEqual(new Uint8Array(0));
  expect(table.scan(new Int8Array(256))).toEqual(new Int32Array(0));
});

// It takes addresses; only the pages of the vectors that are touched take memory.
test.skipIf(totalmem() < 8 * 2 ** 30)(
  'vectors beyond two gibibytes are found where they lie (needs 8 GiB of memory)',
  () => {
    const count = 18_000_000;
    const query = numbers(256, 7);
    const vectors = bytes(128 * 3, 8);
    const table = new VectorTable(count, 256);
    const middle = Math.floor((2 ** 31 - table.bytes.byteOffset) / 128) - 1;
    table.bytes.set(vectors, middle * 128);
    table.bytes.set(vectors, (count - 3) * 128);

    const found = products(query, vectors);
    const [unfilled] = products(query, new Uint8Array(128));
    expect([...table.scan(query, middle, middle + 4)]).toEqual([...found, unfilled]);
    expect([...table.scan(query, count - 4)]).toEqual([unfilled, ...found]);
  },
);

test('a table that WebAssembly cannot address is refused with its size', () => {
  expect(() => new VectorTable(40_000_000, 256)).toThrow(
    'A table of 40000000 vectors of 256 dimensions takes 5280000256 bytes; the limit is 4294967296: use several tables',
  );
});

test('what does not fit the table is refused', () => {
  const table = new VectorTable(3, 32);
  const query = new Int8Array(32);

  expect(() => new VectorTable(-1, 32)).toThrow('-1 vectors: expected 0 or more');
  expect(() => new VectorTable(1, 48)).toThrow('48 dimensions: expected a multiple of 32, at most 65536');
  expect(() => table.scan(new Int8Array(16))).toThrow('a query of 16 dimensions; expected 32');
  expect(() => table.scan(query, 2, 4)).toThrow('vectors 2 to 4 of a table of 3');
  expect(() => table.scan(query, 2, 1)).toThrow('vectors 2 to 1 of a table of 3');
});

test('the memory of a table goes when nobody holds the table', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const use = () => {
    const table = tableOf(256, bytes(128 * 1_000, 9));
    table.scan(numbers(256, 10));
    return new WeakRef(table.bytes.buffer);
  };
  const memory = use();

  // A weak reference holds what it refers to until the turn ends in which it was made.
  await new Promise(setImmediate);
  collectGarbage();

  expect(memory.deref()).toBeUndefined();
});
