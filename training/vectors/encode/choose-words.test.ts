import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { writePairs } from '../pairs-file.ts';
import { chooseWords } from './choose-words.ts';

/** Files of pairs, one for each repository: how often it asks with which words. */
function files(...repositories: Record<string, number>[]): string[] {
  const folder = tempFolder();
  return repositories.map((words, index) => {
    const file = join(folder, `${index}.tsv`);
    const query = Object.entries(words).flatMap(([word, count]) => Array<string>(count).fill(word));
    writePairs(file, [{ kind: 'doc', path: 'a.ts', query, code: ['code'] }]);
    return file;
  });
}

test('words that several repositories use get a row, the most frequent first; names of one project get none', async () => {
  const all = files(
    { cache: 5, token: 1, acme: 90 },
    { cache: 5, token: 1, acme: 90 },
    { cache: 5, token: 1 },
    { cache: 5, other: 1 },
    { cache: 5, other: 1 },
    { cache: 5, other: 1, 登: 4, 登录: 4, 录: 3 },
    { 登: 4, 登录: 4, 录: 3 },
    { 登: 4, 登录: 4, 录: 1 },
  );

  expect(await chooseWords(all)).toEqual(['cache', '登', '登录', '录', 'code', 'token', 'other']);
});

test('of two repositories each word of one is enough', async () => {
  expect(await chooseWords(files({ cache: 5 }, { token: 2 }))).toEqual(['cache', 'token', 'code']);
});

test('Chinese needs to be said a few times', async () => {
  expect(await chooseWords(files({ 登: 4, 录: 3 }))).toEqual(['登', 'code']);
});
