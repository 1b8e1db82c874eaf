import { expect, test } from 'vitest';
import { decodeResponsesRequest } from './decode-request.ts';
import { encodeResponsesResponse } from './encode-response.ts';

const request = decodeResponsesRequest({
  model: 'default',
  input: 'Hi',
  temperature: 0.5,
  max_output_tokens: 100,
  tools: [{ type: 'function', name: 'read' }],
  tool_choice: { type: 'function', name: 'read' },
});

test('a whole answer is a response with an item for each part', () => {
  const openai = { itemId: 'rs_abc', encryptedContent: 'gAAA' };

  expect(
    encodeResponsesResponse(
      {
        id: 'resp_1',
        modelId: 'gpt-6',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { openai } },
          { type: 'reasoning', text: '', providerOptions: { openai } },
          { type: 'text', text: 'Reading.', providerOptions: { openai: { phase: 'commentary' } } },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"a.ts"}' },
        ],
        finishReason: 'tool-calls',
        usage: { inputTokens: 10, outputTokens: 5 },
      },
      request,
    ),
  ).toMatchObject({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-6',
    temperature: 0.5,
    max_output_tokens: 100,
    tool_choice: { type: 'function', name: 'read' },
    error: null,
    incomplete_details: null,
    output: [
      {
        id: 'rs_abc',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'gAAA',
      },
      // Two items cannot have one id; the second carries the id with the content.
      { id: 'rs_1_1', type: 'reasoning', summary: [], encrypted_content: expect.stringMatching(/^dragoman\./) },
      {
        id: 'msg_1_2',
        type: 'message',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'Reading.' }],
      },
      { id: 'fc_1_3', type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' },
    ],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  });
});

test('an answer that was cut says so, and one without names has an id of ours and the model that was asked for', () => {
  expect(encodeResponsesResponse({ content: [], finishReason: 'length' }, request)).toMatchObject({
    id: expect.stringMatching(/^resp_\w{26}$/),
    model: 'default',
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    usage: null,
  });
});
