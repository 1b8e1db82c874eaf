import { applyPatch } from 'diff';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOutput } from '../../backend/bound-output.ts';
import { unifiedDiff } from '../../backend/unified-diff.ts';
import { rawOutputText, readToolContent, withoutFence } from './tool-content.ts';

test('what a call shows is its text, its changes, its pictures and its terminals', () => {
  const text = (value: string) => ({ type: 'content', content: { type: 'text', text: value } });

  expect(
    readToolContent(
      [
        text('```console\nhi\n```'),
        { type: 'content', content: { type: 'image', mimeType: 'image/png', data: 'aGk=' } },
        { type: 'diff', path: '/p/a.txt', newText: 'new\n' },
        { type: 'terminal', terminalId: 't1' },
        { type: 'smell', of: 'roses' },
        text('more'),
      ],
      '/p',
    ),
  ).toEqual({
    text: 'hi\nmore',
    diffs: [{ path: 'a.txt', unified: '--- /dev/null\n+++ a.txt\n@@ -0,0 +1,1 @@\n+new\n' }],
    attachments: [{ type: 'image', media_type: 'image/png', data: 'aGk=' }],
    terminalIds: ['t1'],
  });
});

test.each([
  ['```\na\nb\n```', 'a\nb'],
  ['````sh\n```\n````', '```'],
  ['```\n```', ''],
  ['```\na\n```\ntext\n```\nb\n```', '```\na\n```\ntext\n```\nb\n```'],
  ['```\na', '```\na'],
  ['plain', 'plain'],
])('the fence around %j is taken off only where it is around everything', (text, bare) => {
  expect(withoutFence(text)).toBe(bare);
});

test('raw output is told as text, whatever it is', () => {
  expect(
    ['x', { output: 'y' }, { content: [{ type: 'text', text: 'z' }] }, { code: 1 }, {}, null, undefined, [1]].map(
      rawOutputText,
    ),
  ).toEqual(['x', 'y', 'z', '{\n  "code": 1\n}', '', '', '', '[\n  1\n]']);
});

test('output that is too long keeps its beginning and its end', () => {
  const bound = boundOutput(`begin${'x'.repeat(300_000)}end`);

  expect(bound.length).toBeLessThan(263_000);
  expect(bound).toMatch(/^begin[^]*\[… 37864 characters left out …\][^]*end$/);
});

test('applied to the text before, a diff gives the text after', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', '', 'long line'), { maxLength: 12 }).map((all) => all.join('\n'));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      expect(applyPatch(before, unifiedDiff('/p/f', before, after, '/p').unified)).toBe(after);
    }),
    { numRuns: rounds(5000), seed: 6 },
  );
});

test('a diff that nobody could read is cut, and says so', () => {
  const { unified, is_cut } = unifiedDiff('/p/f', '', 'line\n'.repeat(100_000), '/p');

  expect(is_cut).toBe(true);
  expect(unified.length).toBeLessThan(263_000);
  expect(unified).toMatch(/\n\\ The diff goes on for \d+ more characters\.\n$/);
});
