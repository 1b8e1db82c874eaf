import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { WordRows } from '../../../packages/context/src/index/vectors/word-rows.ts';
import { type Pair, PAIR_KINDS } from '../extract/pair.ts';
import { writePairs } from '../pairs-file.ts';
import { encodePairs } from './encode-pairs.ts';

const WORDS = ['cache', 'drops', 'oldest', 'entry', 'evict', 'delete', 'size', '缓', '存', '缓存'];

function pair(kind: Pair['kind'], query: string, code: string, path = 'src/cache.ts'): Pair {
  return { kind, path, query: query.split(' '), code: code.split(' ') };
}

/** Reads what training reads. */
function decode(folder: string, set: string): unknown[] {
  const meta = readFileSync(join(folder, `${set}.meta`));
  const ids = readFileSync(join(folder, `${set}.ids`));
  const pairs: unknown[] = [];
  let at = 0;
  const bag = (length: number) => {
    let row = 0;
    return Array.from({ length }, () => WORDS[(row += ids.readUInt16LE(2 * at++))]!).join(' ');
  };
  for (let offset = 0; offset < meta.length; offset += 6)
    pairs.push({
      kind: PAIR_KINDS[meta[offset]!],
      repository: meta.readUInt16LE(offset + 1),
      asks: bag(meta[offset + 3]!),
      stands: bag(meta[offset + 4]!),
      says: bag(meta[offset + 5]!),
    });
  expect(at * 2).toBe(ids.length);
  return pairs;
}

test('pairs are written as bags of rows: question, path and code apart, words that are unknown taken apart or left out', async () => {
  const folder = tempFolder();
  const [one, other] = [join(folder, 'one.tsv'), join(folder, 'other.tsv')];
  writePairs(one, [
    pair('doc', 'drops the oldest entries', 'src cache evict oldest cache delete cache'),
    pair('both', '缓 存 缓存', 'cache', 'locales/zh-CN.json'),
  ]);
  writePairs(other, [pair('commit', 'delete oldest cachesize', 'evict entry delete entry size', 'src/elsewhere.py')]);

  const counts = await encodePairs(
    [
      { name: 'a/one', file: one },
      { name: 'b/other', file: other },
    ],
    new WordRows(WORDS),
    folder,
    'train',
  );

  expect(decode(folder, 'train')).toEqual([
    { kind: 'doc', repository: 0, asks: 'drops oldest', stands: 'cache', says: 'cache cache oldest evict delete' },
    { kind: 'both', repository: 0, asks: '缓 存 缓存', stands: '', says: 'cache' },
    {
      kind: 'commit',
      repository: 1,
      asks: 'cache oldest delete size',
      stands: '',
      says: 'entry entry evict delete size',
    },
  ]);
  expect(readFileSync(join(folder, 'train.repositories'), 'utf8')).toBe('a/one\nb/other');
  expect(counts.kinds).toEqual(
    new Map([
      ['doc', 1],
      ['both', 1],
      ['commit', 1],
    ]),
  );
  expect(counts.languages).toEqual(
    new Map([
      ['typescript', 1],
      ['python', 1],
    ]),
  );
});

test('a pair counts once, a question at most three times, and too few known words teach nothing', async () => {
  const folder = tempFolder();
  const file = join(folder, 'one.tsv');
  writePairs(file, [
    pair('doc', 'drops oldest', 'src cache evict oldest cache delete'),
    pair('doc', 'drops oldest', 'src cache evict oldest cache delete'),
    pair('doc', 'drops oldest', 'src cache evict oldest cache size'),
    pair('doc', 'drops oldest', 'src cache evict oldest entry size'),
    pair('doc', 'drops oldest', 'src cache evict oldest entry delete'),
    pair('doc', 'drops unknown', 'src cache evict oldest cache delete'),
    pair('doc', 'drops entry', 'src cache evict oldest cache'),
  ]);

  const { kinds } = await encodePairs([{ name: 'a/one', file }], new WordRows(WORDS), folder, 'train');

  expect(kinds).toEqual(new Map([['doc', 3]]));
});
