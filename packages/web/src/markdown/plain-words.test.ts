import { expect, test } from 'vitest';
import { plainWords } from './plain-words.ts';

test('one line of a text is read without the signs of Markdown', () => {
  expect(plainWords('# Done\nThe **price** of `a_b * c`')).toBe('Done\nThe price of a_b * c');
});
