import { expect, test } from 'vitest';
import { decodeAnthropicRequest } from './anthropic-messages/decode-request.ts';
import { decodeOpenAiChatRequest } from './openai-chat/decode-request.ts';
import { decodeResponsesRequest } from './openai-responses/decode-request.ts';

const chat = (fields: object) => decodeOpenAiChatRequest({ messages: [{ role: 'user', content: 'Hi' }], ...fields });
const responses = (fields: object) => decodeResponsesRequest({ input: 'Hi', ...fields });
const messages = (fields: object) =>
  decodeAnthropicRequest({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9, ...fields });

test.each([
  [chat, { n: 2 }, 'n'],
  [chat, { logprobs: true }, 'logprobs'],
  [chat, { top_logprobs: 3 }, 'top_logprobs'],
  [chat, { logit_bias: { 50256: -100 } }, 'logit_bias'],
  [chat, { modalities: ['text', 'audio'] }, 'modalities'],
  [chat, { audio: { voice: 'alloy', format: 'wav' } }, 'audio'],
  [chat, { web_search_options: { search_context_size: 'low' } }, 'web_search_options'],
  [responses, { top_logprobs: 5 }, 'top_logprobs'],
  [responses, { moderation: { model: 'omni' } }, 'moderation'],
  [messages, { mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'x' }] }, 'mcp_servers'],
  [messages, { container: 'container_1' }, 'container'],
  [messages, { inference_geo: 'us' }, 'inference_geo'],
])('%o refuses %j, because the answer would be another', (decode, fields, field) => {
  expect(() => decode(fields)).toThrow(
    `${field}: only a provider with the same protocol supports this. Leave it out, or use such a provider.`,
  );
});

test.each([
  [chat, { metadata: { a: 'b' }, prediction: { type: 'content', content: 'x' }, shiny: [1] }],
  [responses, { truncation: 'auto', max_tool_calls: 3, store: true }],
  [messages, { context_management: { edits: [1] }, speed: 'fast' }],
])('%o leaves hints and what it does not know out, and names them', (decode, fields) => {
  expect(decode(fields).leftOut).toEqual(Object.keys(fields));
});

test.each([
  [chat, { n: 1, logprobs: false, logit_bias: {}, user: '', modalities: null, service_tier: 'auto' }],
  [responses, { top_logprobs: 0, truncation: 'disabled', store: false, include: ['reasoning.encrypted_content'] }],
  [messages, { mcp_servers: [], container: null, metadata: {}, service_tier: 'auto', speed: 'standard' }],
])('%o says nothing of %j, which asks for what is done anyway', (decode, fields) => {
  expect(decode(fields).leftOut).toBeUndefined();
});

test('many fields that nobody knows are named as far as a header goes', () => {
  const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${'x'.repeat(100)}${index}`, 1]));
  expect(chat(fields).leftOut).toEqual(['x'.repeat(40)]);
  const short = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x${index}`, 1]));
  expect(chat(short).leftOut).toHaveLength(50);
});
