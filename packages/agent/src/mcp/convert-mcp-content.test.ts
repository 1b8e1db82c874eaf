import { expect, test } from 'vitest';
import { convertMcpContent } from './convert-mcp-content.ts';
import { LONGEST_RESOURCE } from './mcp-resource.ts';

const clientName = 'docs';

test('audio and images are attached with their bytes, each at its place [FR-46]', () => {
  expect(
    convertMcpContent({
      clientName,
      content: [
        { type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg' },
        { type: 'text', text: 'heard' },
        { type: 'image', data: 'BBBB' },
      ],
    }),
  ).toEqual({
    output: '[attachment 1: audio-1, audio/mpeg]\nheard\n[attachment 2: image-2, image/png]',
    attachments: [
      { mime: 'audio/mpeg', filename: 'audio-1', url: 'data:audio/mpeg;base64,AAAA' },
      { mime: 'image/png', filename: 'image-2', url: 'data:image/png;base64,BBBB' },
    ],
  });
});

test('a text resource is in the output, and attached by its address with its source [FR-46]', () => {
  expect(
    convertMcpContent({
      clientName,
      content: [{ type: 'resource', resource: { uri: 'note://1', text: 'dear diary' } }],
    }),
  ).toEqual({
    output: '[attachment 1: 1, text/plain]\nmcp://docs/note%3A%2F%2F1:\ndear diary',
    attachments: [
      {
        mime: 'text/plain',
        filename: '1',
        url: 'mcp://docs/note%3A%2F%2F1',
        source: { type: 'resource', clientName, uri: 'mcp://docs/note%3A%2F%2F1' },
      },
    ],
  });
});

test('bytes of a resource are attached, with the address as their source [FR-46]', () => {
  const { attachments } = convertMcpContent({
    clientName,
    content: [{ type: 'resource', resource: { uri: 'file:///a.bin', blob: 'AAAA' } }],
  });

  expect(attachments).toEqual([
    {
      mime: 'application/octet-stream',
      filename: 'a.bin',
      url: 'data:application/octet-stream;base64,AAAA',
      source: { type: 'resource', clientName, uri: 'mcp://docs/file%3A%2F%2F%2Fa.bin' },
    },
  ]);
});

test('what is too large is left out and said so', () => {
  const data = 'A'.repeat(LONGEST_RESOURCE + 1);

  const { output, attachments } = convertMcpContent({
    clientName,
    content: [
      { type: 'image', data },
      { type: 'resource', resource: { uri: 'file:///a.bin', blob: data } },
    ],
  });

  expect(attachments).toEqual([]);
  expect(output.split('\n')).toEqual([
    '[image was left out: 10000001 characters of base64, and the limit is 10000000]',
    '[mcp://docs/file%3A%2F%2F%2Fa.bin was left out: 10000001 characters of base64, and the limit is 10000000]',
  ]);
});

test('what is odd about one piece does not spoil the others', () => {
  expect(
    convertMcpContent({
      clientName,
      content: [
        { type: 'video' },
        { type: 'resource' },
        { type: 'resource_link', name: 'nowhere' },
        { type: 'resource', resource: { uri: '\ud800', text: 'odd' } },
        { type: 'text', text: null },
        { type: 'text', text: 'end' },
      ],
      structuredContent: { ignored: 'there is content' },
    }).output.split('\n'),
  ).toEqual([
    '[video: a kind of content that cannot be shown]',
    '[resource: mcp://docs/nameless, nowhere]',
    '[attachment 1: \ud800, text/plain]',
    'mcp://docs/%EF%BF%BD:',
    'odd',
    '',
    'end',
  ]);
  expect(convertMcpContent({ clientName, content: [] })).toEqual({ output: '', attachments: [] });
});
