import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TermTable } from '../text/term-table.ts';
import { builtInVectors } from './built-in-vectors.ts';
import { CodeVectors, pathText } from './code-vectors.ts';
import { packVector } from './pack-vector.ts';
import { VectorTable } from './vector-table.ts';
import { wordVectors } from './word-vectors.fixture.ts';

const WORDS = wordVectors('login', 'token', 'refresh', 'parse', 'header', 'http', '登录');
const vectors = new CodeVectors(WORDS);

function codeVector(text: string, path = ''): Uint8Array {
  const into = new Uint8Array(vectors.vectorBytes);
  for (const row of vectors.rows.ofText(text)) vectors.say(row);
  vectors.finishCode(vectors.pathRows(path), into);
  return into;
}

function pathVector(path: string): Uint8Array {
  const into = new Uint8Array(vectors.vectorBytes);
  vectors.finishPath(vectors.pathRows(path), into);
  return into;
}

/** So many times each word, added up by hand. */
function sumOf(weights: Record<string, number>): Uint8Array {
  const sum = new Float32Array(WORDS.dimensions);
  for (const [word, weight] of Object.entries(weights)) {
    const row = WORDS.words.indexOf(word);
    for (let index = 0; index < sum.length; index++)
      sum[index]! += weight * WORDS.sayScales[row]! * WORDS.table[row * sum.length + index]!;
  }
  const into = new Uint8Array(vectors.vectorBytes);
  packVector(sum, into);
  return into;
}

function nearness(question: string, vector: Uint8Array): number {
  const table = new VectorTable(1, vectors.dimensions);
  table.bytes.set(vector);
  const { numbers, scale } = vectors.question(question)!;
  return table.scan(numbers)[0]! * scale;
}

test('the same words in any order give the same vector', () => {
  // A word said four times counts twice, exactly; other roots would be rounded, by the order of the sum.
  const said = fc
    .dictionary(fc.constantFrom(...WORDS.words), fc.constantFrom(1, 4), { minKeys: 1 })
    .map((counts) => Object.entries(counts).flatMap(([word, count]) => Array<string>(count).fill(word)));
  const orders = said.chain((words) =>
    fc.tuple(fc.constant(words), fc.shuffledSubarray(words, { minLength: words.length })),
  );
  fc.assert(
    fc.property(orders, ([words, others]) => {
      expect(codeVector(others.join(' '))).toEqual(codeVector(words.join(' ')));
    }),
  );
});

test('a word counts by the root of how often it is said', () => {
  expect(codeVector('token login token token token')).toEqual(sumOf({ token: 2, login: 1 }));
});

test('a path counts with the code that stands there, each of its words one and a half times', () => {
  expect(codeVector('refreshToken()', 'src/http/login.ts')).toEqual(
    sumOf({ refresh: 1, token: 1, http: 1.5, login: 1.5 }),
  );
  expect(nearness('login', codeVector('refreshToken()', 'login.ts'))).toBeGreaterThan(
    nearness('login', codeVector('refreshToken()', 'other.ts')),
  );
});

test('a path has a vector of its own, of its last two parts without the ending', () => {
  expect(pathVector('parse/http/login-token.ts')).toEqual(sumOf({ http: 1, login: 1, token: 1 }));
  expect(pathText('packages/net/http/rate-limiter.test.ts')).toBe('http rate-limiter.test');
  expect(pathText('Makefile')).toBe('Makefile');
});

test('what was said is forgotten with the vector that it made', () => {
  codeVector('login token refresh', 'http/parse.ts');

  expect(codeVector('header')).toEqual(sumOf({ header: 1 }));
});

test('code of unknown words alone is near to nothing', () => {
  expect(codeVector('zzqx + qqzz')).toEqual(sumOf({}));
  expect(Math.abs(nearness('login', codeVector('zzqx')))).toBeLessThan(0.2);
});

test('a question is nearest to code that says the same', () => {
  expect(nearness('token refresh', codeVector('refreshToken'))).toBeGreaterThan(0.95);
  expect(nearness('token refresh', codeVector('parseHeader'))).toBeLessThan(0.5);
  expect(nearness('登录', codeVector('登录'))).toBeGreaterThan(0.95);
});

test('a question of unknown words alone has no vector, and one unknown word among others changes nothing', () => {
  expect(vectors.question('zzqx qqzz?')).toBeUndefined();
  expect(vectors.question('')).toBeUndefined();
  expect(vectors.question('login zzqx')).toEqual(vectors.question('login'));
});

test('other weights are another space', () => {
  expect(new CodeVectors(wordVectors('login')).space).not.toBe(vectors.space);
  expect(new CodeVectors(wordVectors(...WORDS.words)).space).toBe(vectors.space);
});

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'parseHeader',
        'HTTPServers',
        'IDs',
        'sha256',
        '登录',
        '变量名',
        '404',
        ' ',
        '_',
        '\n',
        '，',
        '—',
      ),
      fc.string({ unit: 'binary' }),
      // Half a character, too, as a text has it that was cut anywhere.
      fc.uint16Array({ maxLength: 6 }).map((codes) => String.fromCharCode(...codes)),
      fc
        .array(fc.integer({ min: 0x3000, max: 0xa000 }), { maxLength: 6 })
        .map((codes) => String.fromCharCode(...codes)),
    ),
  )
  .map((parts) => parts.join(''));

/** What the index hears of a piece of text, word by word. */
function readRows(table: TermTable, content: string, from: number, to: number): number[] {
  const rows: number[] = [];
  table.read(
    content,
    from,
    to,
    () => {},
    (row) => rows.push(row),
  );
  return rows;
}

test('the index hears the rows that the whole text has, whatever is written', () => {
  const { rows } = builtInVectors();
  const table = new TermTable(rows);
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (content, one, other) => {
      const ends = [one, other].map((end) => end % (content.length + 1)).sort((a, b) => a - b) as [number, number];
      expect(readRows(table, content, 0, content.length)).toEqual(rows.ofText(content));
      expect(readRows(table, content, ...ends)).toEqual(rows.ofText(content.slice(...ends)));
    }),
    { numRuns: 500 },
  );
});

test('the index hears the rows of real files, chunk by chunk', () => {
  const { rows } = builtInVectors();
  const table = new TermTable(rows);
  const source = join(import.meta.dirname, '../..');
  const files = globSync('**/*.ts', { cwd: source });
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    const content = readFileSync(join(source, file), 'utf8');
    const middle = content.indexOf('\n', content.length / 2) + 1;
    expect(readRows(table, content, 0, middle)).toEqual(rows.ofText(content.slice(0, middle)));
    expect(readRows(table, content, middle, content.length)).toEqual(rows.ofText(content.slice(middle)));
  }
});
