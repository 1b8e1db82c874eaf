import { expect, test } from 'vitest';
import { questionLines } from './question-lines.ts';

test('marks of order keep each word where it was written, also in a terminal that turns letters around', () => {
  const question = { title: 'bash …', reason: '', command: 'cat אבג > דהו', subjects: [] };
  expect(questionLines(question, { paint: (_style, text) => text, width: 60 })).toEqual([
    '? bash …',
    '  $ cat \u200eאבג\u200e > \u200eדהו\u200e',
  ]);
});
