import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobName } from './blob-name.ts';
import { DEFAULT_MAX_BLOB_BYTES } from './filter/check-content.ts';
import { tempTree } from './filter/tree.fixture.ts';
import { readBlob } from './walk/read-blob.ts';

const HELPER = 'export function add(a, b) { return a + b; }';

test('SYNC-01 SYNC-02 a name is the SHA-256 over the path and then the bytes, in lower-case hex', () => {
  expect(blobName('src/utils/helper.js', Buffer.from(HELPER))).toBe(
    'd4c2a97f7232cb7c99d305e66060b81f44ed8427be13231694ba0b2ff71954d4',
  );
  // Nothing stands between path and content.
  expect(blobName('a', Buffer.from('bc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(blobName('ab', Buffer.from('c'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('SYNC-03 text has the same name as its UTF-8 bytes', () => {
  expect(blobName('grüße/😀.md', 'Größe 😀')).toBe(blobName('grüße/😀.md', Buffer.from('Größe 😀')));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (path, content) => {
      expect(blobName(path, content)).toBe(blobName(path, Buffer.from(content)));
    }),
    { seed: 3 },
  );
});

test('SYNC-04 a byte order mark and line ends count, and an empty file has a name', () => {
  const names = ['a\nb', 'a\r\nb', '\uFEFFa\nb', ''].map((content) => blobName('a.txt', content));

  expect(new Set(names).size).toBe(4);
  expect(names[3]).toBe('18b7cb099a9ea3f50ba899b5ba81e0d377a5f3b16f8f6eeb8b3e58cd4692b993');
});

test('SYNC-04 a file in a folder is named by its path with slashes, with what it holds as it is', () => {
  const root = tempTree({ 'a/b/c.txt': '\uFEFFone\r\ntwo' });

  expect(readBlob(root, 'a/b/c.txt')).toMatchObject({
    blobName: blobName('a/b/c.txt', '\uFEFFone\r\ntwo'),
    content: '\uFEFFone\r\ntwo',
  });
});

test('SYNC-05 the same content at two paths has two names', () => {
  expect(blobName('src/utils.js', HELPER)).not.toBe(blobName('lib/utils.js', HELPER));
});

test('SYNC-07 SYNC-09 exactly the limit is named, and one byte more has no name instead of a failure, counted in bytes', () => {
  const root = tempTree({ 'full.txt': 'ä'.repeat(5), 'over.txt': `${'ä'.repeat(5)}!` });

  expect(readBlob(root, 'full.txt', { maxBytes: 10 })).toMatchObject({ blobName: blobName('full.txt', 'ä'.repeat(5)) });
  expect(readBlob(root, 'over.txt', { maxBytes: 10 })).toEqual({ leftOut: 'too-large', reason: 'Large file' });
});

test('SYNC-10 the unchecked form names content of any size', () => {
  expect(blobName('a.txt', 'x'.repeat(DEFAULT_MAX_BLOB_BYTES + 1))).toMatch(/^[0-9a-f]{64}$/);
});

test('SYNC-11 the limit is 1 MiB where none is given', () => {
  const root = tempTree({ 'full.txt': 'x'.repeat(1_048_576), 'over.txt': 'x'.repeat(1_048_577) });

  expect(DEFAULT_MAX_BLOB_BYTES).toBe(1_048_576);
  expect(readBlob(root, 'full.txt')).toMatchObject({ leftOut: undefined });
  expect(readBlob(root, 'over.txt')).toMatchObject({ leftOut: 'too-large' });
});

test('SYNC-88 a file that only grew gets the name of a full hash', () => {
  const root = tempTree({ 'log.txt': 'one\n' });
  readBlob(root, 'log.txt');

  appendFileSync(join(root, 'log.txt'), 'two\n');

  expect(readBlob(root, 'log.txt')).toMatchObject({ blobName: blobName('log.txt', 'one\ntwo\n') });
});
