import { filePartSchema } from '@dragoman/protocol/schemas';
import { expect, test } from 'vitest';
import { fileName, LONGEST_RESOURCE, resourceToAttachment, resourceToFilePart } from './mcp-resource.ts';
import type { McpResourceContent } from './mcp-wire.ts';

const base = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1' };

test('text of a resource is a file part that holds the text, its address and its source [FR-45]', () => {
  const part = resourceToFilePart(
    { clientName: 'My Files', uri: 'file:///a%20b.txt', content: { mimeType: 'text/markdown', text: '# Notes' } },
    base,
  );

  expect(part).toEqual({
    ...base,
    type: 'file',
    mime: 'text/markdown',
    filename: 'a b.txt',
    url: 'mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt',
    source: {
      type: 'resource',
      clientName: 'My Files',
      uri: 'mcp://My%20Files/file%3A%2F%2F%2Fa%2520b.txt',
      text: { value: '# Notes', start: 0, end: 7 },
    },
  });
  expect(filePartSchema.parse(part)).toEqual(part);
});

test('bytes of a resource are a file part whose url holds them, with the address in its source [FR-45]', () => {
  const part = resourceToFilePart(
    { clientName: 'docs', uri: 'img://logo', content: { mimeType: 'image/png', blob: 'AAAA' } },
    base,
  );

  expect(part).toMatchObject({
    mime: 'image/png',
    url: 'data:image/png;base64,AAAA',
    source: { type: 'resource', clientName: 'docs', uri: 'mcp://docs/img%3A%2F%2Flogo' },
  });
  expect(filePartSchema.parse(part)).toEqual(part);
});

test('a resource that is empty text is one, and one that is nothing or too much is refused', () => {
  const of = (content: McpResourceContent) => resourceToAttachment({ clientName: 'docs', uri: 'a:b', content });

  expect(of({ text: '' })).toMatchObject({ mime: 'text/plain', source: { text: { value: '' } } });
  expect(of({ blob: 'AA' })).toMatchObject({ mime: 'application/octet-stream' });
  expect(() => of({})).toThrow('mcp://docs/a%3Ab has neither text nor bytes');
  expect(() => of({ text: 'x'.repeat(LONGEST_RESOURCE + 1) })).toThrow(
    'mcp://docs/a%3Ab is 10000001 characters; the limit is 10000000',
  );
});

test('a file is called by the last name in its address', () => {
  expect(['file:///a/b.txt', 'https://x.org/d/?q=1#f', 'note:1', 'a%20b', '100%'].map(fileName)).toEqual([
    'b.txt',
    'd',
    '1',
    'a b',
    '100%',
  ]);
});
