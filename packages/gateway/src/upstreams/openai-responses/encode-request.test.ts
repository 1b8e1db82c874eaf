import { gatherAnswer, type ModelCall, type ModelMessage } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { testTarget } from '../../routing/target.fixture.ts';
import { decodeAll, recordedEvents, toSse } from '../stream-checks.fixture.ts';
import { decodeOpenAiResponsesStream } from './decode-stream.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';
import { openAiResponsesUpstream } from './upstream.ts';

const HELLO: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
const hello = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] };
const TOOL = { name: 'f', description: 'Does it.', inputSchema: { type: 'object', properties: {} } };

const request = (call: Partial<ModelCall>, model = 'gpt-5.4') =>
  encodeOpenAiResponsesRequest(
    { prompt: HELLO, tools: [], ...call },
    testTarget({ type: 'openai-responses' }, model),
    true,
  );
const body = (call: Partial<ModelCall>, model?: string) =>
  JSON.parse(request(call, model).body) as Record<string, unknown>;

test('a call without settings stores nothing and asks for its reasoning, and the same call gives the same bytes', () => {
  expect(request({})).toEqual({
    path: '/responses',
    headers: {},
    body: '{"model":"gpt-5.4","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"store":false,"include":["reasoning.encrypted_content"],"stream":true}',
  });
  expect(request({}).body).toBe(request({}).body);
});

test('the key goes into the authorization header', () => {
  expect(openAiResponsesUpstream.defaultBaseUrl).toBe('https://api.openai.com/v1');
  expect(openAiResponsesUpstream.authorize('sk-1')).toEqual({ authorization: 'Bearer sk-1' });
});

test('a conversation with calls, results, a picture a tool returned and a document', () => {
  const prompt: ModelMessage[] = [
    { role: 'system', content: 'Be terse.' },
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
        { type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'file', mediaType: 'application/pdf', filename: 'plan.pdf', data: { type: 'base64', base64: 'CCCC' } },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: 'https://example.com/a.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', providerOptions: { openai: { itemId: 'rs_1', encryptedContent: 'e1' } } },
        { type: 'text', text: 'on it', providerOptions: { openai: { phase: 'commentary' } } },
        { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: '{"x":1}' },
        { type: 'tool-call', toolCallId: 'b', toolName: 'g', input: '' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'f',
          isError: false,
          content: [
            { type: 'text', text: 'done' },
            { type: 'file', mediaType: 'image/webp', data: { type: 'base64', base64: 'BBBB' } },
          ],
        },
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'g',
          isError: true,
          content: [
            { type: 'text', text: 'no' },
            { type: 'text', text: 'such file' },
          ],
        },
      ],
    },
    { role: 'system', content: 'Hurry.' },
  ];

  expect(body({ prompt })).toEqual({
    model: 'gpt-5.4',
    instructions: 'Be terse.\n\nBe kind.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
          { type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,CCCC' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'e1' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'on it' }], phase: 'commentary' },
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' },
      { type: 'function_call', call_id: 'b', name: 'g', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [
          { type: 'input_text', text: 'done' },
          { type: 'input_image', image_url: 'data:image/webp;base64,BBBB' },
        ],
      },
      { type: 'function_call_output', call_id: 'b', output: 'The tool failed:\nno\nsuch file' },
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Hurry.' }] },
    ],
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  });
});

test('reasoning goes back only with its encrypted content; an id alone points at nothing', () => {
  const prompt: ModelMessage[] = [
    ...HELLO,
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'of another model', providerOptions: { anthropic: { signature: 's' } } },
        { type: 'reasoning', text: 'not kept', providerOptions: { openai: { itemId: 'rs_1' } } },
        { type: 'reasoning', text: '', providerOptions: { openai: { encryptedContent: 'e' } } },
        { type: 'text', text: '' },
      ],
    },
  ];

  expect(body({ prompt })['input']).toEqual([hello, { type: 'reasoning', summary: [], encrypted_content: 'e' }]);
});

test('a file that the service does not take is refused with its type', () => {
  expect(() =>
    request({
      prompt: [
        { role: 'user', content: [{ type: 'file', mediaType: 'audio/wav', data: { type: 'base64', base64: 'AA' } }] },
      ],
    }),
  ).toThrow('A file of type audio/wav cannot be sent to a Responses model.');
});

test('tools are flat and not strict, and without tools there is no choice either', () => {
  const call: Partial<ModelCall> = { toolChoice: { type: 'tool', toolName: 'f' }, allowsParallelTools: false };

  expect(body({ ...call, tools: [TOOL] })).toMatchObject({
    tools: [
      {
        type: 'function',
        name: 'f',
        description: 'Does it.',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    tool_choice: { type: 'function', name: 'f' },
    parallel_tool_calls: false,
  });
  expect(body({ tools: [TOOL], toolChoice: { type: 'required' } })).toMatchObject({ tool_choice: 'required' });
  expect(body(call)).toEqual(body({}));
});

test('a schema and a limit are passed on; what the service does not know is not', () => {
  const schema = { type: 'object', properties: {} };

  expect(
    body({
      maxOutputTokens: 1,
      responseFormat: { type: 'json', description: 'The answer.', schema },
      stopSequences: ['END'],
      seed: 1,
      topK: 5,
      presencePenalty: 1,
      frequencyPenalty: 1,
    }),
  ).toEqual({
    model: 'gpt-5.4',
    input: [hello],
    max_output_tokens: 16,
    text: { format: { type: 'json_schema', name: 'answer', description: 'The answer.', schema } },
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  });
  expect(body({ responseFormat: { type: 'json' } })).toMatchObject({ text: { format: { type: 'json_object' } } });
});

describe('models', () => {
  test('effort goes with a summary, and none without', () => {
    expect(body({ reasoningEffort: 'high' })['reasoning']).toEqual({ effort: 'high', summary: 'auto' });
    expect(body({ reasoningEffort: 'none' })['reasoning']).toEqual({ effort: 'none' });
  });

  test.each(['gpt-4.1', 'gpt-4o-mini', 'openai/gpt-4o', 'chatgpt-4o-latest', 'gpt-5-chat-latest'])(
    '%s does not reason, so it is not asked to, and keeps its temperature',
    (model) => {
      expect(body({ temperature: 0.2, topP: 0.9, reasoningEffort: 'low' }, model)).toEqual({
        model,
        input: [hello],
        temperature: 0.2,
        top_p: 0.9,
        store: false,
        stream: true,
      });
    },
  );

  test('a model that reasons takes a temperature only where it can be told not to reason', () => {
    for (const model of ['o4-mini', 'gpt-5', 'gpt-5.4', 'gpt-6-sol'])
      expect(body({ temperature: 0.2 }, model)).not.toHaveProperty('temperature');
    expect(body({ temperature: 0.2, reasoningEffort: 'none' }, 'gpt-5.4')).toMatchObject({ temperature: 0.2 });
    expect(body({ temperature: 0.2 }, 'my-deployment')).toMatchObject({
      temperature: 0.2,
      include: ['reasoning.encrypted_content'],
    });
  });
});

test('what the provider encrypted in one answer is in the next call, untouched', () => {
  const sent = (scenario: string) => {
    const gathered = gatherAnswer();
    const recorded = recordedEvents(new URL(`recordings/openai-responses-${scenario}.chunks.txt`, import.meta.url));
    for (const event of decodeAll(decodeOpenAiResponsesStream, toSse(recorded))) gathered.push(event);
    return body({ prompt: [...HELLO, { role: 'assistant', content: gathered.answer.content }] })['input'];
  };

  expect(sent('reasoning')).toEqual([
    hello,
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: '**Finding the divisor**\n\n1071 = 2 × 462 + 147' }],
      encrypted_content: 'gAAAAABpPDIV',
    },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It is 21.' }] },
  ]);
  expect(sent('parallel-tools')).toEqual([
    hello,
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAAABqQUIe' },
    { type: 'function_call', call_id: 'call_Search', name: 'code-search', arguments: '{"query":"blob name"}' },
    { type: 'function_call', call_id: 'call_Status', name: 'git-status', arguments: '{}' },
  ]);
});
