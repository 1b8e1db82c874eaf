import { expect, test } from 'vitest';
import { unnamedRequirements } from './requirements.ts';

const HEAD = 'id\tseed\tstatus\tstatement\tnote\n';
const row = (id: string, status: string) => `${id}\t000\t${status}\tsomething\t\n`;

test('an id that is done must stand in a title as a whole word', () => {
  const table = HEAD + row('AB-1', 'done') + row('AB-10', 'done') + row('AB-2', 'planned') + row('AB-3', 'done');
  const sources = ["test('AB-10 and AB-3: it works', () => {});", '// AB-1 in a comment does not count'];

  expect(unnamedRequirements(table, sources)).toEqual({ done: 3, total: 4, unnamed: ['AB-1'], mistakes: [] });
});

test('titles of describe, each and bench count, in any quotes', () => {
  const table = HEAD + row('A-1', 'done') + row('A-2', 'done') + row('A-3', 'done') + row('A-4', 'done');
  const sources = [
    "describe('A-1 group', () => {})",
    'test.each([1, 2])("A-2 %s", () => {})',
    'bench(`A-3`, () => {})',
    "test.each(ENGINES)(\n  'A-4 it\\'s so',\n)",
  ];

  expect(unnamedRequirements(table, sources).unnamed).toEqual([]);
});

test('a line with another status, and an id that stands twice, are mistakes', () => {
  expect(
    unnamedRequirements(HEAD + row('A-1', 'maybe') + row('A-2', 'planned') + row('A-2', 'planned'), []).mistakes,
  ).toEqual(['line 2: the status is not planned or done', 'line 4: A-2 stands here twice']);
});
