import { expect, test } from 'vitest';
import { collectCandidates } from './candidates.ts';
import { type FeatureName, FEATURES } from './feature-names.ts';
import { fileFeatures } from './file-features.ts';
import { liveFiles } from './live.fixture.ts';
import { readQuestion } from './question.ts';

function describe(files: Record<string, string>, query: string) {
  const question = readQuestion(query);
  const collected = collectCandidates(liveFiles([files]), question, undefined);
  const rows = fileFeatures(question, collected);
  const of = (path: string, name: FeatureName) => {
    const index = collected.candidates.findIndex(({ segment, file }) => segment.reader.path(file) === path);
    return Number(rows[index]![FEATURES.indexOf(name)]!.toFixed(3));
  };
  return { rows, of };
}

const FILES = {
  'src/net/rate-limiter.ts': [
    "import { now } from '../clock.ts';",
    '',
    'export class RateLimiter {',
    '  take() {',
    '    return now() > 0;',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/clock.ts': '/** For the rate limiter. */\nexport function now() {\n  return Date.now();\n}\n',
  'src/net/rate-limiter.test.ts':
    "import { RateLimiter } from './rate-limiter.ts';\ntest('the rate limiter', () => new RateLimiter().take());\n",
  'src/net/index.ts': "export { RateLimiter } from './rate-limiter.ts';\n",
};

test('the file that is named after the question and defines its subject shows it', () => {
  const { of } = describe(FILES, 'how does the rate limiter work');

  expect(of('src/net/rate-limiter.ts', 'stemCoverage')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'stemPrecision')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'stemPair')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'bestDefinition')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'bestDefinitionIsType')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'definitionRank')).toBe(1);
  expect(of('src/clock.ts', 'stemCoverage')).toBe(0);
  expect(of('src/clock.ts', 'coverage')).toBe(1);
  expect(of('src/clock.ts', 'bestDefinition')).toBe(0);
});

test('a file is known by those that import it and by its test', () => {
  const { of } = describe(FILES, 'how does the rate limiter work');

  expect(of('src/net/rate-limiter.ts', 'imports')).toBe(Number(Math.log1p(2).toFixed(3)));
  expect(of('src/clock.ts', 'imports')).toBe(Number(Math.log1p(1).toFixed(3)));
  expect(of('src/net/rate-limiter.test.ts', 'isTest')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'testScore')).toBe(of('src/net/rate-limiter.test.ts', 'promise'));
});

test('a name that is asked for is seen where it is defined', () => {
  const { of } = describe(FILES, 'RateLimiter');

  expect(of('src/net/rate-limiter.ts', 'symbolDefined')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'symbolIsStem')).toBe(1);
  expect(of('src/net/rate-limiter.ts', 'symbolFirst')).toBe(1);
  expect(of('src/net/index.ts', 'symbolDefined')).toBe(0);
});

test('what stands before the colon is a folder or a file', () => {
  const { of } = describe(FILES, 'net: make the limiter faster');

  expect(of('src/net/rate-limiter.ts', 'scopeInFolder')).toBe(1);
  expect(of('src/clock.ts', 'scopeInFolder')).toBe(0);
});

test('the older of two versions that stand side by side is known as such', () => {
  const text = 'export const schema = 1;\n';
  const { of } = describe({ 'src/v3/schema.ts': text, 'src/v4/schema.ts': text, 'lib/v1/schema.ts': text }, 'schema');

  expect(of('src/v3/schema.ts', 'isOlder')).toBe(1);
  expect(of('src/v4/schema.ts', 'isOlder')).toBe(0);
  expect(of('lib/v1/schema.ts', 'isOlder')).toBe(0);
});

test('every feature is a number, whatever is asked', () => {
  for (const query of ['', '?', 'rate', 'zebra', 'how are cats fed', 'RateLimiter::take', '速率', 'a b c d e f g h'])
    for (const row of describe(FILES, query).rows) expect([query, row.every(Number.isFinite)]).toEqual([query, true]);
});
