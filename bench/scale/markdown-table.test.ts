import { expect, test } from 'vitest';
import { putTables } from './markdown-table.ts';

const TABLE = { name: 'fruit', head: ['fruit', 'weight'], rows: [['apple', '100 g']], note: 'Weighed twice.' };

test('a table takes the place of what stood between its marks, and nothing else changes', () => {
  const text = 'Before.\n\n<!-- fruit -->\n\nnot measured yet\n\n<!-- /fruit -->\n\nAfter.\n';
  const filled =
    'Before.\n\n<!-- fruit -->\n\n| fruit | weight |\n| --- | ---: |\n| apple | 100 g |\n\nWeighed twice.\n\n<!-- /fruit -->\n\nAfter.\n';
  expect(putTables(text, [TABLE])).toBe(filled);
  expect(putTables(filled, [TABLE])).toBe(filled);
});

test('a table that has no place in the text is told by its name', () => {
  expect(() => putTables('Before.', [TABLE])).toThrow('There is no place for the table "fruit".');
});
