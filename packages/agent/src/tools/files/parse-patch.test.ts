import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ToolError } from '../tool.ts';
import { parsePatch } from './parse-patch.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('each kind of change is read', () => {
  expect(
    parsePatch(
      patch(
        '*** Add File: new.txt',
        '+one',
        '+',
        '*** Update File: src/a.ts',
        '*** Move to: src/b.ts',
        '@@ class A',
        '@@   run() {',
        ' keep',
        '-old',
        '+new',
        '',
        ' after',
        '@@',
        '-last',
        '*** End of File',
        '',
        '*** Delete File: gone.txt',
      ),
    ),
  ).toEqual([
    { type: 'add', path: 'new.txt', content: 'one\n\n' },
    {
      type: 'update',
      path: 'src/a.ts',
      movedTo: 'src/b.ts',
      chunks: [
        {
          headers: ['class A', 'run() {'],
          lines: [
            { kind: 'context', text: 'keep' },
            { kind: 'remove', text: 'old' },
            { kind: 'add', text: 'new' },
            { kind: 'context', text: '' },
            { kind: 'context', text: 'after' },
          ],
          isAtEnd: false,
        },
        { headers: [], lines: [{ kind: 'remove', text: 'last' }], isAtEnd: true },
      ],
    },
    { type: 'delete', path: 'gone.txt' },
  ]);
});

test('what wraps a patch is left aside, and so are the line numbers of ordinary diffs', () => {
  const inner = patch('*** Update File: a', '@@ -1,3 +1,4 @@ fn main', '-x', '+y').replaceAll('\n', '\r\n');

  expect(parsePatch(`apply_patch <<'EOF'\n${inner}\nEOF\n`)).toEqual([
    {
      type: 'update',
      path: 'a',
      movedTo: undefined,
      chunks: [
        {
          headers: ['fn main'],
          lines: [
            { kind: 'remove', text: 'x' },
            { kind: 'add', text: 'y' },
          ],
          isAtEnd: false,
        },
      ],
    },
  ]);
  expect(parsePatch(patch('*** Update File: a', '*** Move to: b'))).toEqual([
    { type: 'update', path: 'a', movedTo: 'b', chunks: [] },
  ]);
  expect(parsePatch(patch('*** Update File: a', '', '-x'))).toMatchObject([{ chunks: [{ lines: [{ text: 'x' }] }] }]);
});

test.each([
  ['just text', 'must begin with the line "*** Begin Patch"'],
  ['*** Begin Patch\n*** Add File: a\n+x', 'no line "*** End Patch"'],
  [patch(''), 'no file is named in it'],
  [patch('hello'), 'Line 2 of the patch is "hello"; expected a line "*** Add File: …"'],
  [patch('*** Add File: a', '+x', 'y'), 'Line 4 of the patch is "y"; expected a line of the new file'],
  [patch('*** Update File: a', '@@', '*x'), 'Line 4 of the patch is "*x"; expected a line that begins with'],
  [patch('*** Update File: a', '@@ x'), 'says nothing about what changes in a'],
  [patch('*** Delete File: a', '-x'), 'Line 3 of the patch is "-x"; expected nothing after "*** Delete File: a"'],
])('%j is refused', (text, reason) => {
  expect(() => parsePatch(text)).toThrow(reason);
});

test('whatever the text, there is a patch or a reason', () => {
  const line = fc.constantFrom(
    '*** Begin Patch',
    '*** End Patch',
    '*** Add File: a',
    '*** Update File: b',
    '*** Delete File: c',
    '*** Move to: d',
    '*** End of File',
    '@@',
    '@@ x',
    ' y',
    '-z',
    '+w',
    '',
    'noise',
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const outcome = (() => {
        try {
          return parsePatch(lines.join('\n'));
        } catch (error) {
          return error;
        }
      })();
      expect(outcome instanceof ToolError || (Array.isArray(outcome) && outcome.length > 0)).toBe(true);
    }),
    { seed: 2, numRuns: 400 },
  );
});
