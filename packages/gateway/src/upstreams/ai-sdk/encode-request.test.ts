import type { ModelCall } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { encodeAiSdkCall } from './encode-request.ts';

const image = { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'iVBORw0KGgo=' } } as const;
const linked = {
  type: 'file',
  mediaType: 'application/pdf',
  filename: 'a.pdf',
  data: { type: 'url', url: 'https://example.com/a.pdf' },
} as const;
const signed = { google: { thoughtSignature: 's' } };

test('a whole call goes along in the words of version 4', () => {
  const call: ModelCall = {
    prompt: [
      { role: 'system', content: 'Be brief.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image, linked] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: signed },
          { type: 'text', text: 'Reading.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"a.ts"}', providerOptions: signed },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'read',
            isError: false,
            content: [
              { type: 'text', text: 'one' },
              { type: 'text', text: 'two' },
            ],
          },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'read',
            isError: true,
            content: [{ type: 'text', text: 'no such file' }],
          },
          {
            type: 'tool-result',
            toolCallId: 'c3',
            toolName: 'shot',
            isError: false,
            content: [{ type: 'text', text: 'Here.' }, image, linked],
          },
        ],
      },
    ],
    tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
    toolChoice: { type: 'tool', toolName: 'read' },
    allowsParallelTools: false,
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.9,
    topK: 40,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stopSequences: ['END'],
    seed: 7,
    reasoningEffort: 'high',
    responseFormat: { type: 'json', schema: { type: 'object' } },
  };

  expect(encodeAiSdkCall(call, 'v4')).toStrictEqual({
    prompt: [
      { role: 'system', content: 'Be brief.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
          {
            type: 'file',
            mediaType: 'application/pdf',
            filename: 'a.pdf',
            data: { type: 'url', url: new URL('https://example.com/a.pdf') },
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: signed },
          { type: 'text', text: 'Reading.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' }, providerOptions: signed },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'one\ntwo' } },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'read',
            output: { type: 'error-text', value: 'no such file' },
          },
          {
            type: 'tool-result',
            toolCallId: 'c3',
            toolName: 'shot',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'Here.' },
                { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
                {
                  type: 'file',
                  mediaType: 'application/pdf',
                  data: { type: 'url', url: new URL('https://example.com/a.pdf') },
                },
              ],
            },
          },
        ],
      },
    ],
    tools: [{ type: 'function', name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
    toolChoice: { type: 'tool', toolName: 'read' },
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.9,
    topK: 40,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stopSequences: ['END'],
    seed: 7,
    reasoning: 'high',
    responseFormat: { type: 'json', schema: { type: 'object' } },
  });
});

test.each([
  [
    'v2',
    [
      { type: 'media', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
      { type: 'text', text: 'https://example.com/a.pdf' },
    ],
  ],
  [
    'v3',
    [
      { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
      { type: 'file-url', url: 'https://example.com/a.pdf' },
    ],
  ],
] as const)('%s has other words for files, and none for the effort', (version, value) => {
  const call: ModelCall = {
    prompt: [
      { role: 'user', content: [image, linked] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'shot', isError: false, content: [image, linked] }],
      },
    ],
    tools: [],
    toolChoice: { type: 'auto' },
    reasoningEffort: 'high',
  };

  expect(encodeAiSdkCall(call, version)).toStrictEqual({
    prompt: [
      {
        role: 'user',
        content: [
          { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
          { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: new URL('https://example.com/a.pdf') },
        ],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'shot', output: { type: 'content', value } }],
      },
    ],
  });
});

test('a file whose address is none is refused', () => {
  const file = { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'a.png' } } as const;

  expect(() => encodeAiSdkCall({ prompt: [{ role: 'user', content: [file] }], tools: [] }, 'v4')).toThrow(
    'The file\'s address "a.png" is not a URL.',
  );
});
