import { expect, test } from 'vitest';
import { linesOf, render } from '../render.fixture.tsx';
import { DiffView } from './diff-view.tsx';

const UNIFIED = '@@ -1,2 +1,2 @@\n-one\n+zwei\n same\n';

test('a change is told with its file, its counts, and a sign beside every line', () => {
  expect(linesOf(render(<DiffView diff={{ path: 'src/a.ts', unified: UNIFIED }} />))).toEqual([
    'src/a.ts',
    '+1',
    '1 line added',
    '−1',
    '1 line removed',
    '1',
    '−',
    'one',
    '1',
    '+',
    'zwei',
    '2',
    '2',
    'same',
  ]);
});

test('every line with a number can be commented on where that is wanted, and nowhere else', () => {
  const labels = (html: string) => [...html.matchAll(/aria-label="(Comment on line \d+)"/g)].map(([, label]) => label);
  const diff = { path: 'src/a.ts', unified: UNIFIED };

  expect(labels(render(<DiffView diff={diff} onComment={() => {}} />))).toEqual([
    'Comment on line 1',
    'Comment on line 1',
    'Comment on line 2',
  ]);
  expect(labels(render(<DiffView diff={diff} />))).toEqual([]);
});

test('what is no diff is shown as it was written, and a binary file says so', () => {
  expect(linesOf(render(<DiffView diff={{ path: 'a', unified: 'just words' }} isBare />))).toEqual([
    'This diff couldn’t be parsed, so it’s shown as plain text.',
    'just words',
  ]);
  expect(linesOf(render(<DiffView diff={{ path: 'a', unified: 'Binary files a and b differ' }} isBare />))).toEqual([
    'Binary file not shown.',
  ]);
});

test('marks that turn the order of letters around are visible in a change', () => {
  const lines = linesOf(
    render(<DiffView diff={{ path: 'a', unified: '@@ -1 +1 @@\n+if (isAdmin\u202e) {}' }} isBare />),
  );

  expect(lines).toContain('if (isAdmin⟨U+202E⟩) {}');
});
