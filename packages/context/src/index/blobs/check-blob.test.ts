import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobName } from '../../sync/blob-name.ts';
import { blobOf } from './blob.fixture.ts';
import { checkBlob } from './check-blob.ts';

const wire = (path: string, content: string) => ({ blob_name: blobName(path, content), path, content });

test.each(['a.ts', '.env', 'src/..hidden/a', 'a/b..c', './a.ts', 'Grüße/世界 🌍.md', 'with space\n.txt', 'a:b', '~/x'])(
  'a blob at %j is taken as it is',
  (path) => {
    expect(checkBlob(wire(path, 'text'))).toEqual({ blob: blobOf(path, 'text') });
  },
);

test.each([
  ['', 'path: "" is empty.'],
  ['/etc/passwd', 'path: "/etc/passwd" is absolute; expected a path relative to the workspace.'],
  ['C:\\a.ts', 'path: "C:\\\\a.ts" is absolute; expected a path relative to the workspace.'],
  ['c:/a.ts', 'path: "c:/a.ts" is absolute; expected a path relative to the workspace.'],
  ['\\\\host\\a', 'path: "\\\\\\\\host\\\\a" is absolute; expected a path relative to the workspace.'],
  ['../a.ts', 'path: "../a.ts" leads out of the workspace with "..".'],
  ['src/../../a.ts', 'path: "src/../../a.ts" leads out of the workspace with "..".'],
  ['src\\..\\a.ts', 'path: "src\\\\..\\\\a.ts" leads out of the workspace with "..".'],
  ['..', 'path: ".." leads out of the workspace with "..".'],
  ['a\0b', 'path: "a\\u0000b" holds a NUL character.'],
  ['a\ud800', 'path: "a\\ud800" holds half of a character (a lone surrogate).'],
  ['x'.repeat(4_097), `path: "${'x'.repeat(120)}…" is 4097 characters long; the limit is 4096.`],
])('a blob at %j is refused', (path, reason) => {
  expect(checkBlob(wire(path, 'text'))).toEqual({ reason });
});

test('the name must be that of the path and the content', () => {
  const name = blobName('a.ts', 'text');

  expect(checkBlob({ blob_name: name, path: 'a.ts', content: 'other' })).toEqual({
    reason: `blob_name: that of "a.ts" with this content is ${blobName('a.ts', 'other')}, the SHA-256 of both.`,
  });
  expect(checkBlob({ blob_name: name, path: 'b.ts', content: 'text' })).toHaveProperty('reason');
  expect(checkBlob({ blob_name: name.toUpperCase(), path: 'a.ts', content: 'text' })).toEqual({
    reason: 'blob_name: expected 64 lower-case hexadecimal digits.',
  });
});

test('content is text within the limit, which counts bytes and is said where it is passed [SYNC-08]', () => {
  expect(checkBlob(wire('a', 'ü'.repeat(5)), 10)).toHaveProperty('blob');
  expect(checkBlob(wire('a', 'ü'.repeat(6)), 10)).toEqual({ reason: 'content: "a" is 12 bytes; the limit is 10.' });
  expect(checkBlob({ ...wire('a', 'x'), content: 7 })).toEqual({ reason: 'content: expected text.' });
  expect(checkBlob(wire('a', 'x\udc00'))).toEqual({
    reason: 'content: "a" holds half of a character (a lone surrogate).',
  });
  expect(checkBlob(wire('a', 'x\0y'))).toEqual({ reason: 'content: "a" holds a NUL character.' });
  expect(checkBlob(wire('a', ''))).toHaveProperty('blob');
});

test.each([null, undefined, 7, 'a', [], {}, { blob_name: 7 }, { blob_name: 'a'.repeat(64), path: {} }])(
  '%j is refused with a reason',
  (entry) => {
    expect(checkBlob(entry)).toEqual({ reason: expect.stringMatching(/expected|A blob is an object/) });
  },
);

test('any entry is taken whole or refused, and what is taken has the name it was sent with', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.boolean(), (path, content, isTrue) => {
      const entry = { blob_name: isTrue ? blobName(path, content) : 'f'.repeat(64), path, content };
      expect([
        { blob: { blobName: blobName(path, content), path, content } },
        { reason: expect.stringMatching(/^(?:blob_name|path|content): /) as string },
      ]).toContainEqual(checkBlob(entry));
    }),
    { seed: 1, numRuns: 300 },
  );
});
