import { expect, test } from 'vitest';
import { WordRows } from './word-rows.ts';

const WORDS = 'parse cache connect http server auth token time timeout sha sha256 404 登 录 登录 刷新'.split(' ');
const rows = new WordRows(WORDS);

/** As words again, to be read. */
function found(text: string): string[] {
  return rows.ofText(text).map((row) => WORDS[row]!);
}

test('a word that is known is its row, whatever it consists of', () => {
  expect(rows.ofWord('parse')).toEqual([0]);
  expect(found('parse timeout sha256 404')).toEqual(['parse', 'timeout', 'sha256', '404']);
});

test('the rows of a text are those of its words, in order, as often as they are said', () => {
  expect(found('parseToken(cache, HTTPServer, parse)')).toEqual(['parse', 'token', 'cache', 'http', 'server', 'parse']);
});

test.each([
  ['parses', 'parse'],
  ['parsed', 'parse'],
  ['parsing', 'parse'],
  ['parser', 'parse'],
  ['parsers', 'parse'],
  ['caching', 'cache'],
  ['caches', 'cache'],
  ['connecting', 'connect'],
  ['connectable', 'connect'],
  ['tokens', 'token'],
])('%s is found without its ending', (word, stem) => {
  expect(found(word)).toEqual([stem]);
});

test('what is left without an ending has at least four letters, or five with the e that it lost', () => {
  expect(found('times')).toEqual(['time']);
  expect(found('shas')).toEqual(['sha']); // as a piece
  expect(found('shaed')).toEqual([]);
});

test('digits at the end are left away where the whole is not known', () => {
  expect(found('sha256 sha512 parser2 token1')).toEqual(['sha256', 'sha', 'parse', 'token']);
});

test('a word in one is taken apart into the longest known pieces', () => {
  expect(found('authtoken')).toEqual(['auth', 'token']);
  expect(found('timeoutserver')).toEqual(['timeout', 'server']);
  expect(found('httpxserver')).toEqual(['http', 'server']);
});

test('where more than a third is left over, the pieces are chance and say nothing', () => {
  expect(found('xyzauth')).toEqual([]);
  expect(found('xyauth')).toEqual(['auth']);
  expect(found('zzqq')).toEqual([]);
});

test('Chinese characters and pairs are rows or nothing: they are not taken apart', () => {
  expect(found('登录')).toEqual(['登', '录', '登录']);
  expect(found('登录页刷新token')).toEqual(['登', '录', '登录', '刷新', 'token']);
  expect(rows.ofWord('登页')).toEqual([]);
});

test('a number that is not known says nothing', () => {
  expect(found('404 500')).toEqual(['404']);
});

test('a word is the same the second time', () => {
  expect(rows.ofWord('serverauths')).toEqual(rows.ofWord('serverauths'));
  expect(found('serverauths serverauths')).toEqual(['server', 'auth', 'server', 'auth']);
});
