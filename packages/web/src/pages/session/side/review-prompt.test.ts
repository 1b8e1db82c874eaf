import { expect, test } from 'vitest';
import { type ReviewComment, reviewPrompt } from './review-prompt.ts';

const words = { intro: 'Please look at these:', before: 'before the change' };
const comment = (fields: Partial<ReviewComment>): ReviewComment => ({
  id: '1',
  path: 'src/a.ts',
  line: 3,
  side: 'new',
  quoted: 'const limit = 3;',
  text: 'Give it a name.',
  ...fields,
});

test('comments become one prompt: each with path and line, the line itself, and what was said, in the order of places', () => {
  const prompt = reviewPrompt(
    [
      comment({ path: 'src/b.ts', line: 1, quoted: 'export {};', text: ' Needed?\n' }),
      comment({ line: 12 }),
      comment({ line: 3, side: 'old', quoted: 'const old = 1;', text: 'Why did this go?' }),
    ],
    words,
  );

  expect(prompt).toBe(
    [
      'Please look at these:',
      '',
      'src/a.ts:3 (before the change)',
      '> const old = 1;',
      'Why did this go?',
      '',
      'src/a.ts:12',
      '> const limit = 3;',
      'Give it a name.',
      '',
      'src/b.ts:1',
      '> export {};',
      'Needed?',
    ].join('\n'),
  );
});

test('a line that is very long is quoted by its beginning', () => {
  expect(reviewPrompt([comment({ quoted: 'x'.repeat(5000) })], words)).toContain(`> ${'x'.repeat(300)}…\n`);
});
