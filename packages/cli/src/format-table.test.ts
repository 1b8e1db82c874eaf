import { expect, test } from 'vitest';
import { formatTable } from './format-table.ts';

test('each row is one line, whatever is in its cells', () => {
  expect(
    formatTable(
      ['name', 'says'],
      [
        ['a\nok', 'b\u001B[2J'],
        ['longer name', '  c'],
      ],
    ),
  ).toBe(['name         says', 'a␊ok         b␛[2J', 'longer name    c'].join('\n'));
});
