import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { decodePromptBlocks } from './decode-prompt-blocks.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const place = { cwd: '/p', root: '/p' };

test('text stays text, and images come along with their bytes or their address', () => {
  expect(
    decodePromptBlocks(
      [
        { type: 'text', text: 'Look:' },
        { type: 'image', media_type: 'image/png', data: 'AAAA' },
        { type: 'image', media_type: 'image/png', url: 'https://host/a.png' },
      ],
      place,
    ),
  ).toEqual({
    text: 'Look:',
    parts: [
      { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' },
      { type: 'file', mime: 'image/png', url: 'https://host/a.png' },
    ],
  });
});

test('a file that comes along is told as text where it is text, and named where it was put', () => {
  const { text, parts } = decodePromptBlocks(
    [
      { type: 'text', text: 'Read ' },
      { type: 'file', name: 'data.json', media_type: 'application/json', data: base64('{"a":1}') },
      { type: 'file', name: 'paper.pdf', media_type: 'application/pdf', data: base64('%PDF') },
      { type: 'file', name: 'blob.bin', data: base64('\0\0') },
    ],
    place,
  );

  expect(text).toBe('Read [data.json](data.json) [paper.pdf](paper.pdf) [blob.bin](blob.bin)');
  expect(parts).toMatchObject([
    { mime: 'text/plain', filename: 'data.json', url: `data:text/plain;base64,${base64('{"a":1}')}` },
    { mime: 'application/pdf', filename: 'paper.pdf' },
    { mime: 'application/octet-stream', filename: 'blob.bin' },
  ]);
});

test('a file of the project is told with its content', () => {
  const root = tempFolder();
  writeFileSync(join(root, 'a.ts'), 'const a = 1;\n');

  expect(
    decodePromptBlocks([{ type: 'file', name: 'a.ts', uri: pathToFileURL(join(root, 'a.ts')).href }], {
      cwd: root,
      root,
    }),
  ).toMatchObject({
    text: '[a.ts](a.ts)',
    parts: [{ type: 'file', mime: 'text/plain', filename: 'a.ts', source: { type: 'file', path: 'a.ts' } }],
  });
});

test('what has neither bytes nor an address is refused by name', () => {
  expect(() => decodePromptBlocks([{ type: 'file', name: 'a.ts' }], place)).toThrow(
    'The file "a.ts" of the prompt has neither data nor an address; attach it again.',
  );
  expect(() => decodePromptBlocks([{ type: 'image', media_type: 'image/png' }], place)).toThrow('An image');
});
