import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileDiff } from '../tools/files/file-diff.ts';
import { splitDiff } from './split-diff.ts';

const PLACE = { cwd: '/p', root: '/p' };

test('files are named from the folder of the session, and in full where they are not in it', () => {
  const diff = '--- web/a.ts\n+++ web/a.ts\n@@ -1 +1 @@\n-a\n+b\n--- b.ts\n+++ b.ts\n@@ -1 +1 @@\n-a\n+b\n';

  const files = splitDiff(diff, { cwd: '/p/web', root: '/p' });

  expect(files.map(({ path }) => path)).toEqual(['a.ts', '/p/b.ts']);
});

test('a diff of git is named without its prefixes, and keeps what git says of the file', () => {
  const text = [
    'diff --git a/out/x.js b/out/x.js',
    'new file mode 100644',
    'index 0000000..3e75765',
    '--- /dev/null',
    '+++ b/out/x.js',
    '@@ -0,0 +1 @@',
    '+new',
    'diff --git a/logo.png b/logo.png',
    'index 1..2 100644',
    'Binary files a/logo.png and b/logo.png differ',
    '',
  ].join('\n');

  expect(splitDiff(text, PLACE).map(({ path }) => path)).toEqual(['out/x.js', 'logo.png']);
  expect(
    splitDiff(text, PLACE)
      .map(({ unified }) => unified)
      .join(''),
  ).toBe(text);
});

test('a file that was deleted is called what it was called', () => {
  expect(splitDiff('--- gone.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n', PLACE)).toEqual([
    { path: 'gone.ts', unified: '--- gone.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n' },
  ]);
});

test('nothing comes of a text that is no diff', () => {
  expect(splitDiff('', PLACE)).toEqual([]);
  expect(splitDiff('Nothing changed.\n', PLACE)).toEqual([]);
});

test('whatever lines the files have, a diff of several is taken apart at the files and nowhere else', async () => {
  const line = fc.constantFrom(
    '-- a',
    '++ b',
    '- a',
    '+++ c',
    '--- d',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    '',
    'word',
    '# 3',
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
    .map(([lines, hasEnd]) => lines.join('\n') + (hasEnd && lines.length > 0 ? '\n' : ''));
  const change = fc.record({ before: fc.option(text, { nil: undefined }), after: text });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const named = changes
        .map(({ before, after }, at) => ({ path: `f${at}.ts`, before, after }))
        .filter(({ before, after }) => before !== after);
      const { diff } = await fileDiff(named);

      const files = splitDiff(diff, PLACE);

      expect(files.map(({ path }) => path)).toEqual(named.map(({ path }) => path));
      expect(files.map(({ unified }) => unified).join('')).toBe(diff);
    }),
    { seed: 7, numRuns: 300 },
  );
});
