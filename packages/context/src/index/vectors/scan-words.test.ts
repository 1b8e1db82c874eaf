import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanWords } from './scan-words.ts';

function words(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  return wordsBetween(bytes, 0, bytes.length);
}

function wordsBetween(bytes: Uint8Array, start: number, end: number): string[] {
  const found: string[] = [];
  scanWords(bytes, start, end, (word, length) => found.push(new TextDecoder().decode(word.subarray(0, length))));
  return found;
}

test.each([
  ['parseHeader', ['parse', 'header']],
  ['parse_header-of.it', ['parse', 'header', 'of', 'it']],
  ['ParseHTTPHeader', ['parse', 'http', 'header']],
  ['XMLHttpRequest', ['xml', 'http', 'request']],
  ['MAX_VALUE', ['max', 'value']],
  ['a.map((x) => aB)', ['map']],
])('%s is cut at its humps and at what is no letter, and single letters are no words', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test.each([
  ['URLs', ['urls']],
  ['userIDs', ['user', 'ids']],
  ['getURLs()', ['get', 'urls']],
  ['URLsAndIDs', ['urls', 'and', 'ids']],
  ['URLset', ['ur', 'lset']],
])('the plural of capitals in %s is one word, unless more small letters follow', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test.each([
  ['sha256', ['sha256']],
  ['utf8Decode', ['utf8', 'decode']],
  ['HTTP2Server', ['http2', 'server']],
  ['x1', ['x1']],
  ['1 22 404 1234', ['404']],
  ['256bit', ['256', 'bit']],
  ['base64url', ['base64', 'url']],
])('digits in %s stay with the letters before them, and alone only three of them are a word', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('Chinese is read character by character and pair by pair, each pair after its second character', () => {
  expect(words('登录')).toEqual(['登', '录', '登录']);
  expect(words('用户登录')).toEqual(['用', '户', '用户', '登', '户登', '录', '登录']);
  expect(words('登录token在哪里?')).toEqual(['登', '录', '登录', 'token', '在', '哪', '在哪', '里', '哪里']);
  expect(words('登，录 页')).toEqual(['登', '录', '页']);
  expect(words('㐀鿿')).toEqual(['㐀', '鿿', '㐀鿿']);
});

test('a word has at most 32 letters', () => {
  expect(words(`${'a'.repeat(32)} ${'b'.repeat(33)} next`)).toEqual(['a'.repeat(32), 'next']);
});

test('other scripts separate', () => {
  expect(words('привет мир')).toEqual([]);
  expect(words('한국어 ひらがな カタカナ 🙂')).toEqual([]);
  expect(words('naïve café')).toEqual(['na', 've', 'caf']);
  expect(words('漢字かな交じり')).toEqual(['漢', '字', '漢字', '交']);
});

test('only what lies between the two positions is read', () => {
  const bytes = new TextEncoder().encode('beforeInside登录After');

  expect(wordsBetween(bytes, 6, 12)).toEqual(['inside']);
  expect(wordsBetween(bytes, 8, 15)).toEqual(['side', '登']);
  // A character that does not end before the end is none.
  expect(wordsBetween(bytes, 12, 17)).toEqual(['登']);
});

test('whatever is written, words are short and in lower case', () => {
  const known = fc.constantFrom('Parse', 'HTTP', 's', '12', '登', '录', 'é', '_', '(');
  fc.assert(
    fc.property(fc.array(fc.oneof(known, fc.string({ unit: 'binary' }))), (parts) => {
      for (const word of words(parts.join(''))) expect(word).toMatch(/^(?:[a-z]+\d*|\d{3}|[\u3400-\u9fff]{1,2})$/);
    }),
  );
});
