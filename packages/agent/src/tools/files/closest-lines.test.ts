import { expect, test } from 'vitest';
import { closestLines } from './closest-lines.ts';

const file = 'import a\n\nfunction first() {\n  return 1;\n}\n\nfunction second() {\n  return 2;\n}\n';

test('the lines are shown where most of the piece stands', () => {
  expect(closestLines(file, 'function second() {\n  return 3;\n}')).toBe(
    '7\tfunction second() {\n8\t  return 2;\n9\t}',
  );
});

test('a line that is only alike is shown when it is like enough', () => {
  expect(closestLines(file, 'function secnd()')).toBe('7\tfunction second() {');
  expect(closestLines(file, '\n\nfunction frst() {')).toBe('1\timport a\n2\t\n3\tfunction first() {');
  expect(closestLines(file, 'SELECT * FROM users')).toBeUndefined();
  expect(closestLines(file, ' \n')).toBeUndefined();
});

test('a piece that begins before the file is shown from its first line', () => {
  expect(closestLines('b\nc\nd', 'a\nb\nc')).toBe('1\tb\n2\tc');
});
