import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanWords } from '../../../packages/context/src/index/vectors/scan-words.ts';
import { textOfWords } from '../evaluate/text-of-words.ts';
import { wordsOf } from './words-of.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SAMPLES: Record<string, string> = {
  python: 'class HTTPServer:\n    def sha256_of(self, userIDs): # 返回用户编号的摘要\n        return 404\n',
  go: 'func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { // utf8Decode x1\n}\n',
  java: '/** 取消订单，并退回库存。 */\npublic void cancelOrder(long orderId) throws IOException { }\n',
  rust: "impl<'a> Iterator for Utf8Chars<'a> { fn next(&mut self) -> Option<char> { None } }\n",
  c: '#define MAX_BUF_LEN 4096u\nstatic uint32_t crc32_update(uint8_t *p, size_t n);\n',
  ruby: "def parse_headers!(io) = io.each_line.map { _1.split(': ') } # naïve café\n",
  mixed: '登录token在哪里刷新？URLs 與 漢字かな交じり 🙂 256bit base64url',
};

/** Every word that the engine scans, however it was cut up on the way. */
function scanned(text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const words: string[] = [];
  scanWords(bytes, 0, bytes.length, (word, length) =>
    words.push(Buffer.from(word.subarray(0, length)).toString('utf8')),
  );
  return words;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom('Parse', 'HTTP', 's', 'URLs', '1', '404', 'x', '登', '录', '页', '，', ' ', '_', 'é', '\n', '🙂'),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join('')),
);

test('training sees the words that the engine scans, all of them up to the limit', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, most) => {
      expect(wordsOf(text)).toEqual(scanned(text));
      expect(wordsOf(text, most)).toEqual(scanned(text).slice(0, most));
    }),
  );
});

test('stored words are as they were: a word read again is itself, a Chinese pair is itself and its characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of wordsOf(text))
        expect(wordsOf(word)).toEqual(/^[\u3400-\u9fff]{2}$/.test(word) ? [word[0], word[1], word] : [word]);
    }),
  );
});

test('a text made of stored words has just these words, wherever they were cut off', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, most) => {
      const stored = wordsOf(text, most);
      expect(wordsOf(textOfWords(stored))).toEqual(stored);
    }),
  );
});

test.each(Object.entries(SAMPLES))('the same holds for %s', (_language, text) => {
  const words = wordsOf(text);
  expect(words.length).toBeGreaterThan(8);
  expect(words).toEqual(scanned(text));
  expect(wordsOf(textOfWords(words))).toEqual(words);
});

test("the same holds for this project's own files", () => {
  const files = globSync(
    ['packages/{context,gateway}/src/**/*.ts', 'packages/web/src/**/*.tsx', '*.md', 'docs/**/*.md'],
    {
      cwd: ROOT,
    },
  );
  let count = 0;
  const different = files.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const words = wordsOf(text);
    count += words.length;
    return words.join(' ') !== scanned(text).join(' ') || wordsOf(textOfWords(words)).join(' ') !== words.join(' ');
  });

  expect(different).toEqual([]);
  expect(count).toBeGreaterThan(100_000);
});

test('words that are written out', () => {
  expect(wordsOf(SAMPLES['python']!).join(' ')).toBe(
    'class http server def sha256 of self user ids 返 回 返回 用 回用 户 用户 编 户编 号 编号 的 号的 摘 的摘 要 摘要 return 404',
  );
  expect(textOfWords(['登', '录', '登录', 'token', '在', '哪', '在哪', '里', '哪里'])).toBe('登录 token 在哪里');
  expect(textOfWords(['登', '录', '页'])).toBe('登 录 页');
});
