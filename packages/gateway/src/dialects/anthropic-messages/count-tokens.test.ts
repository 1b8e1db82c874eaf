import type { ModelCall } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { countTokens } from './count-tokens.ts';
import { decodeAnthropicRequest } from './decode-request.ts';

const count = (content: unknown, fields: object = {}) =>
  countTokens(decodeAnthropicRequest({ messages: [{ role: 'user', content }], ...fields }).call);

test('English is counted by its characters, Chinese nearly one for one', () => {
  expect(count('The quick brown fox jumps over the lazy dog.')).toBe(17);
  expect(count('敏捷的棕色狐狸跳过了懒狗')).toBe(16);
  expect(count('Быстрая лиса')).toBe(10);
});

test('a picture costs the same whatever its size, a document by its length', () => {
  const image = (data: string) => [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }];
  const pdf = (data: string) => [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }];

  expect(count(image('AAAA'))).toBe(1604);
  expect(count(image('A'.repeat(400_000)))).toBe(1604);
  expect(count(pdf('AAAA'))).toBe(2004);
  expect(count(pdf('A'.repeat(400_000)))).toBe(10_004);
});

test('tools, system and what tools were called with and returned are counted too', () => {
  const tool = { name: 'read', description: 'Reads a file.', input_schema: { type: 'object', properties: {} } };

  expect(count('Hi')).toBe(5);
  expect(count('Hi', { system: 'Be short.' })).toBe(12);
  expect(count('Hi', { tools: [tool] })).toBe(376);
  const call: ModelCall = {
    prompt: [
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 't1', toolName: 'read', input: '{"path":"a.ts"}' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 't1',
            toolName: 'read',
            content: [{ type: 'text', text: 'const a = 1;' }],
            isError: false,
          },
        ],
      },
    ],
    tools: [],
  };
  expect(countTokens(call)).toBe(42);
});
