import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileDiff } from '../tools/files/file-diff.ts';
import { diffContent } from './diff-content.ts';

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

test('each hunk of a diff is a text before and after, with the line where it begins', async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
  const changed = lines.with(4, '--- five\n').with(24, 'twenty-five\n');
  const { diff } = await fileDiff([{ path: 'src/a.ts', before: lines.join(''), after: changed.join('') }]);

  expect(diffContent(diff, '/p')).toEqual({
    content: [
      { type: 'diff', path: '/p/src/a.ts', oldText: lines.slice(1, 8).join(''), newText: changed.slice(1, 8).join('') },
      {
        type: 'diff',
        path: '/p/src/a.ts',
        oldText: lines.slice(21, 28).join(''),
        newText: changed.slice(21, 28).join(''),
      },
    ],
    locations: [
      { path: '/p/src/a.ts', line: 2 },
      { path: '/p/src/a.ts', line: 22 },
    ],
  });
});

test('a new file has nothing before, a deleted one nothing after, and a moved one its new path', async () => {
  const { diff } = await fileDiff([
    { path: 'new.ts', before: undefined, after: 'a\nb' },
    { path: '/elsewhere/old.ts', before: 'a\n', after: undefined },
    { path: 'from.ts', movedTo: 'to "x".ts', before: 'a\n', after: 'b\n' },
    { path: 'größe\t.ts', before: 'a\n', after: 'b\n' },
  ]);

  expect(diffContent(diff, '/p').content).toEqual([
    { type: 'diff', path: '/p/new.ts', oldText: null, newText: 'a\nb' },
    { type: 'diff', path: '/elsewhere/old.ts', oldText: 'a\n', newText: '' },
    { type: 'diff', path: '/p/to "x".ts', oldText: 'a\n', newText: 'b\n' },
    { type: 'diff', path: '/p/größe\t.ts', oldText: 'a\n', newText: 'b\n' },
  ]);
});

test('whatever changed, putting the new texts in the place of the old ones makes the new file', async () => {
  const line = fc.constantFrom('a', 'b', '', '--- a', '+++ b', '@@ -1 +1 @@', '\\ No newline at end of file', '-', '+');
  const text = fc
    .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const { diff } = await fileDiff([{ path: 'f', before, after }]);
      const { content, locations } = diffContent(diff, '/');
      let made = '';
      let rest = before;
      for (const [index, piece] of content.entries()) {
        if (piece.type !== 'diff') continue;
        const { oldText, newText } = piece;
        const kept = linesOf(rest)
          .slice(0, locations[index]!.line! - 1 - linesOf(made).length)
          .join('');
        expect(rest.slice(kept.length).startsWith(oldText ?? '')).toBe(true);
        made += kept + newText;
        rest = rest.slice(kept.length + (oldText ?? '').length);
      }
      expect(made + rest).toBe(after);
    }),
  );
});

test('a diff that was cut short, or is none, shows what there is of it', () => {
  expect(diffContent('--- a\n+++ a\n@@ -1,3 +1,3 @@\n one\n-two\n', '/').content).toEqual([
    { type: 'diff', path: '/a', oldText: 'one\ntwo\n', newText: 'one\n' },
  ]);
  expect(diffContent('nothing of that kind', '/')).toEqual({ content: [], locations: [] });
});
