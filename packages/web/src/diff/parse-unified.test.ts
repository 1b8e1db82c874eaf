import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DiffLine, parseUnified } from './parse-unified.ts';

const SIGNS = { context: ' ', added: '+', removed: '-' };

/** Lines as `-1 +2 text`: the number before, the number after, what stands there. */
function told(lines: readonly DiffLine[]): string[] {
  return lines.map(
    ({ kind, oldNumber, newNumber, text }) => `${SIGNS[kind]}${oldNumber ?? ''}/${newNumber ?? ''} ${text}`,
  );
}

test('a diff by git is read with the numbers of its lines on either side', () => {
  const diff = parseUnified(
    [
      'diff --git a/src/a.ts b/src/a.ts',
      'index 83db48f..bf2a1c3 100644',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -10,4 +10,5 @@ function a() {',
      ' one',
      '-two',
      '+2',
      '+and a half',
      ' three',
      '@@ -30 +31,0 @@',
      '-gone',
      String.raw`\ No newline at end of file`,
      '',
    ].join('\n'),
  );

  expect(diff).toMatchObject({ added: 2, removed: 2, isBinary: false, notes: [] });
  expect(diff.hunks.map(({ heading }) => heading)).toEqual(['function a() {', '']);
  expect(told(diff.hunks[0]!.lines)).toEqual([' 10/10 one', '-11/ two', '+/11 2', '+/12 and a half', ' 12/13 three']);
  expect(told(diff.hunks[1]!.lines)).toEqual(['-30/ gone']);
  expect(diff.hunks[1]!.lines[0]!.isUnended).toBe(true);
});

test('a line that looks like a header is a line as long as the hunk has promised it', () => {
  const diff = parseUnified(
    '@@ -1,2 +1,2 @@\n--- a comment\n+++ another\n same\n--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-x\n+y\n',
  );

  expect(diff.hunks.map(({ lines }) => told(lines))).toEqual([
    ['-1/ -- a comment', '+/1 ++ another', ' 2/2 same'],
    ['-1/ x', '+/1 y'],
  ]);
});

test('a hunk without numbers, as agents write them, has no numbers but all its lines', () => {
  const diff = parseUnified('*** Update File: a.py\n@@ def a():\n-    pass\n+    return 1\n*** End Patch');

  expect(diff).toMatchObject({ added: 1, removed: 1, hunks: [{ heading: 'def a():', isNumbered: false }] });
  expect(told(diff.hunks[0]!.lines)).toEqual(['-/     pass', '+/     return 1']);
});

test('files without lines say what happened to them', () => {
  expect(parseUnified('diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n')).toMatchObject({
    hunks: [],
    notes: ['similarity index 100%', 'rename from x', 'rename to y'],
  });
  expect(parseUnified('Binary files a/x.png and b/x.png differ')).toMatchObject({ hunks: [], isBinary: true });
  expect(parseUnified('')).toEqual({ hunks: [], added: 0, removed: 0, isBinary: false, notes: [] });
});

/** A change: what stayed, went and came, one after the other. */
const anyChange = fc.array(
  fc.record({
    kind: fc.constantFrom('context', 'added', 'removed'),
    text: fc.oneof(fc.string(), fc.constantFrom('-- a', '++ b', '@@ -1 +1 @@', 'diff --git', '', ' ')),
  }),
  { minLength: 1, maxLength: 40 },
);

test('every change that is written as a diff is read back, whatever its lines say', () => {
  fc.assert(
    fc.property(anyChange, fc.nat(500), (change, before) => {
      const lines = change.map(({ kind, text }) => ({
        kind,
        text: text.replaceAll(/[\r\n]/g, ''),
      }));
      const [old, fresh] = [
        lines.filter(({ kind }) => kind !== 'added'),
        lines.filter(({ kind }) => kind !== 'removed'),
      ];
      const unified = [
        '--- a/file',
        '+++ b/file',
        `@@ -${before + 1},${old.length} +${before + 1},${fresh.length} @@`,
        ...lines.map(({ kind, text }) => SIGNS[kind] + text),
        '',
      ].join('\n');

      const { hunks, added, removed } = parseUnified(unified);

      expect(hunks).toHaveLength(1);
      expect(hunks[0]!.lines.map(({ kind, text }) => ({ kind, text }))).toEqual(lines);
      expect([added, removed]).toEqual(
        [fresh.length, old.length].map((all) => all - lines.filter(({ kind }) => kind === 'context').length),
      );
      const numbers = hunks[0]!.lines.flatMap(({ newNumber }) => newNumber ?? []);
      expect(numbers).toEqual(fresh.map((_line, index) => before + 1 + index));
    }),
    { seed: 20_260_703, numRuns: 300 },
  );
});

test('any text at all is read, and never gives more lines than it has', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('@@', '@@ -1,99999999 +1 @@', '--- a', '+++ b', '-', '+', '\\', ' x', '*** ', 'GIT binary patch'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const { hunks, added, removed } = parseUnified(lines.join('\n'));
      const all = hunks.flatMap((hunk) => hunk.lines);
      expect(all.length).toBeLessThanOrEqual(lines.join('\n').split('\n').length);
      expect(all.filter(({ kind }) => kind === 'added')).toHaveLength(added);
      expect(all.filter(({ kind }) => kind === 'removed')).toHaveLength(removed);
    }),
    { seed: 20_260_704, numRuns: 500 },
  );
});
