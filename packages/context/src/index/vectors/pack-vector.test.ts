import { expect, test } from 'vitest';
import { randomFrom } from '../../faults/planted-tree.fixture.ts';
import { packQuery } from './pack-query.ts';
import { packVector } from './pack-vector.ts';
import { VectorTable } from './vector-table.ts';

const table = new VectorTable(1, 256);

/** The cosine of two vectors by way of their packed forms. */
function packedCosine(vector: Float32Array, query: Float32Array): number {
  packVector(vector, table.bytes);
  const { numbers, scale } = packQuery(query);
  return table.scan(numbers)[0]! * scale;
}

function cosine(one: Float32Array, other: Float32Array): number {
  const product = (mine: Float32Array, theirs: Float32Array) =>
    mine.reduce((sum, value, index) => sum + value * theirs[index]!, 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
}

/** Vectors in all directions alike. */
function randomVectors(seed: number): () => Float32Array {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return () => Float32Array.from({ length: 256 }, normal);
}

function packed(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length / 2);
  packVector(vector, bytes);
  return bytes;
}

test('a cosine is nearly the same after packing', () => {
  const vector = randomVectors(9);
  const errors = Array.from({ length: 2_000 }, () => {
    const [one, other] = [vector(), vector()];
    return Math.abs(packedCosine(one, other) - cosine(one, other));
  });

  expect(Math.max(...errors)).toBeLessThan(0.03);
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.008);
});

test('what is alike stays alike, and what is opposite stays opposite', () => {
  const vector = randomVectors(10);
  for (let round = 0; round < 100; round++) {
    const one = vector();
    const opposite = one.map((value) => -value);
    expect(Math.abs(packedCosine(one, one) - 1)).toBeLessThan(0.05);
    expect(Math.abs(packedCosine(one, opposite) + 1)).toBeLessThan(0.05);
  }
});

test('how long a vector is makes no difference', () => {
  const one = randomVectors(11)();
  const longer = one.map((value) => value * 1_024);

  expect(packed(longer)).toEqual(packed(one));
  expect(packQuery(longer).numbers).toEqual(packQuery(one).numbers);
  expect(packedCosine(one, longer)).toBeCloseTo(packedCosine(one, one), 9);
});

test('sixteen steps go evenly from far below the middle to far above it, and what lies beyond is in the last', () => {
  // With 64 numbers a step is 0.0419 of the whole length, which is 1.246 here.
  const vector = new Float32Array(64);
  vector[0] = 1;
  vector.set([0.5, 0.2, 0.04, 0.001, -0.001, -0.04, -0.1, -0.5], 32);
  const [first, ...others] = packed(vector);

  expect(first).toBe(0x8f);
  expect(others.slice(0, 15)).toEqual(Array(15).fill(0x88));
  expect(others.slice(15, 23)).toEqual([0x8f, 0x8b, 0x88, 0x88, 0x87, 0x87, 0x86, 0x80]);
});

test('a vector without length is near to nothing', () => {
  const vector = randomVectors(12);
  const zero = new Float32Array(256);

  expect([...packed(zero)]).toEqual(Array.from({ length: 64 }, () => [0x77, 0x88]).flat());
  for (let round = 0; round < 100; round++) expect(Math.abs(packedCosine(zero, vector()))).toBeLessThan(0.05);
  expect(packQuery(zero)).toEqual({ numbers: new Int8Array(256), scale: 0 });
  expect(packedCosine(vector(), zero)).toBe(0);
});

test('the largest number of a query is 127, or -127', () => {
  expect([...packQuery(Float32Array.of(0.5, -0.25, 0.1, 0)).numbers]).toEqual([127, -63, 25, 0]);
  expect([...packQuery(Float32Array.of(-8, 4, 0.01, -0.1)).numbers]).toEqual([-127, 64, 0, -2]);
});

test('what cannot be packed is refused', () => {
  expect(() => packVector(new Float32Array(48), new Uint8Array(24))).toThrow(
    '48 numbers into 24 bytes: expected a multiple of 32, two to a byte',
  );
  expect(() => packVector(new Float32Array(64), new Uint8Array(64))).toThrow(
    '64 numbers into 64 bytes: expected a multiple of 32, two to a byte',
  );
});
