import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breakSource, readMutants } from './mutant.ts';

const root = new URL('../..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('a line of the table is a mutant, with several files of tests and with titles where they are named', () => {
  const table =
    'id\tfile\tfind\treplace\ttests\tonly\nA-1\ta.ts\tx > 1\tx > 2\ta.test.ts b.test.ts\nA-2\tb.ts\tgo();\t\tb.test.ts\tA-2\n';

  expect(readMutants(table)).toEqual([
    { id: 'A-1', file: 'a.ts', find: 'x > 1', replace: 'x > 2', tests: ['a.test.ts', 'b.test.ts'], only: undefined },
    { id: 'A-2', file: 'b.ts', find: 'go();', replace: '', tests: ['b.test.ts'], only: 'A-2' },
  ]);
});

test('a line that lacks something is refused by its number', () => {
  expect(() => readMutants('id\tfile\tfind\treplace\ttests\tonly\nA-1\ta.ts\tx > 1\n')).toThrow(
    'line 2 of the table of mutants needs id, file, find, replace and tests',
  );
});

test('the text to find stands once in the source, and is replaced as it is written', () => {
  expect(breakSource('if (x > 1) go();', { find: 'x > 1', replace: "$& '$1'" })).toBe("if ($& '$1') go();");
  expect(() => breakSource('x > 1, x > 1', { find: 'x > 1', replace: 'x' })).toThrow(
    'the text to find stands there 2 times instead of once: x > 1',
  );
  expect(() => breakSource('', { find: 'x > 1', replace: 'x' })).toThrow(
    'the text to find stands there 0 times instead of once: x > 1',
  );
  expect(() => breakSource('x', { find: 'x', replace: 'x' })).toThrow('the text that replaces it is the same');
});

test('every line of our table names a requirement, one place of the product, and tests that are there', () => {
  const known = new Set(
    read('requirements.tsv')
      .split('\n')
      .map((line) => line.split('\t')[0]),
  );
  const mutants = readMutants(read('scripts/mutate/mutants.tsv'));
  const wrong = mutants.flatMap((mutant) => {
    const { id, file, tests } = mutant;
    const problems = tests.filter((path) => !existsSync(new URL(path, root))).map((path) => `no file ${path}`);
    if (!known.has(id)) problems.push('no such requirement');
    try {
      breakSource(read(file), mutant);
    } catch (error) {
      problems.push((error as Error).message);
    }
    return problems.map((problem) => `${id} ${file}: ${problem}`);
  });

  expect(wrong).toEqual([]);
  expect(mutants.length).toBeGreaterThanOrEqual(60);
});
