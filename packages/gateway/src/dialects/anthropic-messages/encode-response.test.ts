import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { decodeAnthropicRequest } from './decode-request.ts';
import { encodeAnthropicError } from './encode-error.ts';
import { encodeAnthropicResponse } from './encode-response.ts';

const request = decodeAnthropicRequest({ model: 'default', messages: [{ role: 'user', content: 'Hi' }] });

test('a whole answer is a message', () => {
  expect(
    encodeAnthropicResponse(
      {
        id: 'msg_1',
        modelId: 'claude-sonnet-5',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
          { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'cmVk' } } },
          { type: 'reasoning', text: '' },
          { type: 'text', text: '' },
          { type: 'text', text: 'Reading.' },
          { type: 'tool-call', toolCallId: 't1', toolName: 'read', input: '{"path":"a.ts"}' },
          { type: 'tool-call', toolCallId: 't2', toolName: 'list', input: '' },
          { type: 'tool-call', toolCallId: 't3', toolName: 'read', input: '{"path":' },
        ],
        finishReason: 'tool-calls',
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 4 },
      },
      request,
    ),
  ).toEqual({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'cmVk' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_use', id: 't2', name: 'list', input: {} },
      { type: 'tool_use', id: 't3', name: 'read', input: { INVALID_JSON: '{"path":' } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 6, cache_creation_input_tokens: 0, cache_read_input_tokens: 4, output_tokens: 5 },
  });
});

test('an answer without names has an id of ours and the model that was asked for', () => {
  expect(encodeAnthropicResponse({ content: [], finishReason: 'length' }, request)).toMatchObject({
    id: expect.stringMatching(/^msg_\w{26}$/),
    model: 'default',
    stop_reason: 'max_tokens',
  });
});

test.each<[DragomanErrorCode, string]>([
  ['bad-request', 'invalid_request_error'],
  ['unauthenticated', 'authentication_error'],
  ['forbidden', 'permission_error'],
  ['not-found', 'not_found_error'],
  ['too-large', 'request_too_large'],
  ['rate-limited', 'rate_limit_error'],
  ['timed-out', 'timeout_error'],
  ['unavailable', 'api_error'],
  ['internal', 'api_error'],
])('the error %s is an %s here', (code, type) => {
  expect(encodeAnthropicError(new DragomanError(code, 'No.'))).toEqual({
    type: 'error',
    error: { type, message: 'No.' },
  });
});
