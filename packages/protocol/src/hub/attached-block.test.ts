import { expect, test } from 'vitest';
import { attachedBlockSchema } from './attached-block.ts';

const image = { type: 'image', media_type: 'image/png' };
const file = { type: 'file', name: 'a.txt' };

test.each([
  { type: 'text', text: 'Look.' },
  { ...image, data: 'aGVsbG8=' },
  { ...image, data: 'aGVsbG8' },
  { ...image, data: '-_-_' },
  { ...image, url: 'https://example.com/a.png' },
  { ...image, url: '/api/attachments/att_01k00000000000000000000000' },
  { ...file, url: 'http://example.com/a' },
  { ...file, url: 'data:text/plain,hello' },
  { ...file, uri: 'file:///home/ada/a.txt' },
])('what a person may attach is taken as it is: %j', (block) => {
  expect(attachedBlockSchema.parse(block)).toEqual(block);
});

test.each([
  [
    { ...image, url: 'data:image/png;base64,aGVsbG8=' },
    { ...image, data: 'aGVsbG8=' },
  ],
  [
    { ...file, url: 'DATA:;base64,aGVsbG8' },
    { ...file, data: 'aGVsbG8' },
  ],
  [
    { ...file, url: 'data:text/plain;charset=utf-8;base64,aGVsbG8=' },
    { ...file, media_type: 'text/plain', data: 'aGVsbG8=' },
  ],
])('bytes in an address become bytes: %j', (block, taken) => {
  expect(attachedBlockSchema.parse(block)).toEqual(taken);
});

test.each([
  [{ ...image }, 'data'],
  [{ ...file }, 'data'],
  [{ ...image, data: '' }, 'data'],
  [{ ...image, data: 'not base64!' }, 'data'],
  [{ ...image, data: 'aGVsb' }, 'data'],
  [{ ...image, data: 'aGVs\nbG8=' }, 'data'],
  [{ ...image, media_type: 'text/html', data: 'aGVsbG8=' }, 'media_type'],
  [{ ...image, media_type: '', data: 'aGVsbG8=' }, 'media_type'],
  [{ ...image, data: 'aGVsbG8=', url: 'https://example.com/a.png' }, 'url'],
  [{ ...image, url: 'file:///etc/passwd' }, 'url'],
  [{ ...image, url: 'javascript:alert(1)' }, 'url'],
  [{ ...image, url: ' javascript:alert(1)' }, 'url'],
  [{ ...image, url: 'data:text/html,<script>' }, 'url'],
  [{ ...image, url: '/etc/passwd' }, 'url'],
  [{ ...image, url: 'data:text/html;base64,aGVsbG8=' }, 'url'],
  [{ ...file, url: `data:text/plain,${'%41'.repeat(6000)}` }, 'url'],
  [{ ...file, url: `data:${'%zz'.repeat(6000)}` }, 'url'],
  [{ ...file, url: 'https://' }, 'url'],
  [{ ...file, url: 'vbscript:x' }, 'url'],
])('what cannot be shown or sent on is refused with its place: %j', (block, place) => {
  expect(attachedBlockSchema.safeParse(block).error?.issues).toMatchObject([{ path: [place] }]);
});
