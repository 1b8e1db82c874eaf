import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { describeBuiltInFile, readBuiltInFile } from './built-in-file.ts';
import { writeVectorFile } from './vector-file.ts';

const SMALL = writeVectorFile({
  words: ['login', '登录'],
  dimensions: 32,
  table: new Int8Array(64),
  askScales: new Float32Array(2),
  sayScales: new Float32Array(2),
});

test('a file that is well says what is in it', () => {
  const file = join(tempFolder(), 'vectors.bin');
  writeFileSync(file, SMALL);

  expect(readBuiltInFile(file).words).toEqual(['login', '登录']);
  expect(describeBuiltInFile(file)).toBe(`2 words of 32 dimensions: ${file}`);
  expect(describeBuiltInFile()).toMatch(/^\d+ words of 256 dimensions: .+vectors\.bin$/);
});

test.for<[string, Buffer | undefined, string]>([
  ['missing', undefined, 'it is not there'],
  ['empty', Buffer.alloc(0), 'this is not a file of word vectors'],
  ['cut short', SMALL.subarray(0, 100), 'word vectors of 100 bytes; their header says 116'],
  ['something else', Buffer.from('version https://git-lfs.github.com/spec/v1'), 'this is not a file of word vectors'],
  ['flipped in one bit', flipped(), 'the word vectors are damaged: their sum is wrong'],
])('a file that is %s is named, with what to do', ([, content, reason]) => {
  const file = join(tempFolder(), 'vectors.bin');
  if (content !== undefined) writeFileSync(file, content);

  expect(() => readBuiltInFile(file)).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      message: `The word vectors that come with Dragoman cannot be used. Install Dragoman again: ${file}: ${reason}`,
    }) as Error,
  );
});

function flipped(): Buffer {
  const file = Buffer.from(SMALL);
  file[60]! ^= 1;
  return file;
}
