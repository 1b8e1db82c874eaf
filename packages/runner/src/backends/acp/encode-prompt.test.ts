import { expect, test } from 'vitest';
import { encodePrompt } from './encode-prompt.ts';

const text = Buffer.from('hi').toString('base64');
const bytes = Buffer.from([0, 255, 1]).toString('base64');

test('contents that travel with a prompt are embedded where the agent takes that', () => {
  expect(
    encodePrompt(
      [
        { type: 'file', name: 'a.txt', media_type: 'text/plain', data: text },
        { type: 'file', name: 'b.bin', data: bytes, uri: '/b.bin' },
        { type: 'file', name: 'c.png', media_type: 'image/png', data: bytes },
        { type: 'image', media_type: 'image/png', url: 'https://example.com/d.png?x=1' },
      ],
      { embeddedContext: true, image: true },
    ),
  ).toEqual([
    { type: 'resource', resource: { uri: 'attachment:///a.txt', text: 'hi', mimeType: 'text/plain' } },
    { type: 'resource', resource: { uri: 'file:///b.bin', blob: bytes } },
    { type: 'image', mimeType: 'image/png', data: bytes },
    { type: 'resource_link', name: 'd.png', uri: 'https://example.com/d.png?x=1', mimeType: 'image/png' },
  ]);
});

test('an agent that takes nothing embedded is told text in words and is given links', () => {
  expect(
    encodePrompt(
      [
        { type: 'file', name: 'a.txt', data: text },
        { type: 'file', name: 'b.bin', data: bytes, uri: 'file:///b.bin' },
      ],
      {},
    ),
  ).toEqual([
    { type: 'text', text: 'The file a.txt:\n\nhi' },
    { type: 'resource_link', name: 'b.bin', uri: 'file:///b.bin' },
  ]);
});

test('what an agent cannot take is refused with what to do', () => {
  expect(() => encodePrompt([{ type: 'image', media_type: 'image/png', data: bytes }], {})).toThrow('takes no images');
  expect(() => encodePrompt([{ type: 'file', name: 'b.bin', data: bytes }], {})).toThrow(
    'this agent takes no attached files, and "b.bin" is not text; put it into the session\'s folder and name its path',
  );
  expect(() => encodePrompt([{ type: 'file', name: 'x' }], {})).toThrow('has neither a place nor contents');
});
