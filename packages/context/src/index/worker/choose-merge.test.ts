import { expect, test } from 'vitest';
import { chooseMerge } from './choose-merge.ts';

const rows = (...bytes: number[]) =>
  bytes.map((size, index) => ({ id: `seg_${index}`, files: 1, bytes: size, vectors: '' }));
const KIB = 1024;

test('a few small segments are left alone', () => {
  expect(chooseMerge(rows(1, 2, 3, 4, 5, 6, 7))).toEqual([]);
});

test('eight small ones become one, and the large stay as they are', () => {
  const small = rows(...Array.from({ length: 8 }, () => 10 * KIB));
  const large = { id: 'seg_large', files: 9, bytes: 20_000 * KIB, vectors: '' };
  expect(chooseMerge([...small, large])).toEqual(small);
});

test('sixteen middling ones take the small along', () => {
  const middling = rows(...Array.from({ length: 16 }, () => 2_000 * KIB));
  const small = { id: 'seg_small', files: 1, bytes: 1, vectors: '' };
  expect(chooseMerge([small, ...middling])).toEqual([small, ...middling]);
});

test('the largest are never rewritten', () => {
  expect(chooseMerge(rows(...Array.from({ length: 20 }, () => 100_000 * KIB)))).toEqual([]);
});

test('those without vectors become one among themselves, as long as they are small', () => {
  const bare = rows(...Array.from({ length: 8 }, () => 10 * KIB));
  const large = { id: 'seg_large', files: 9, bytes: 2_000 * KIB, vectors: '' };
  const others = Array.from({ length: 7 }, (_, at) => ({
    id: `seg_other${at}`,
    files: 1,
    bytes: 10 * KIB,
    vectors: 'x',
  }));
  const without = new Set([...bare, large].map(({ id }) => id));
  expect(chooseMerge([...bare, large, ...others], without)).toEqual(bare);
  expect(chooseMerge([...bare.slice(1), large, ...others], without)).toEqual([]);
});
