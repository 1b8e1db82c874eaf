import { describe, expect, test } from 'vitest';
import { ToolNames } from '../../tools/tool-names.ts';
import { decodeResponsesRequest } from './decode-request.ts';

const callOf = (fields: object) => decodeResponsesRequest({ input: 'Hi', ...fields }).call;
const promptOf = (...input: unknown[]) => decodeResponsesRequest({ input }).call.prompt;

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const READ = { type: 'function', name: 'read', description: 'Reads a file.', parameters: SCHEMA, strict: false };

test('a request becomes a call with its settings, and notes those that the answer repeats', () => {
  expect(
    decodeResponsesRequest({
      model: 'gpt-6',
      instructions: 'Be short.',
      input: 'Hi',
      tools: [READ],
      tool_choice: 'required',
      parallel_tool_calls: false,
      max_output_tokens: 1000,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'plan', schema: SCHEMA, strict: true }, verbosity: 'low' },
      metadata: { job: '7' },
      store: true,
      include: ['reasoning.encrypted_content'],
      stream: true,
    }),
  ).toEqual({
    asked: 'gpt-6',
    isStreamed: true,
    leftOut: ['store'],
    context: {
      tools: expect.any(ToolNames),
      toolChoice: 'required',
      reasoning: { effort: 'high', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 'plan', schema: SCHEMA, strict: true }, verbosity: 'low' },
      metadata: { job: '7' },
    },
    call: {
      prompt: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [{ name: 'read', description: 'Reads a file.', inputSchema: SCHEMA }],
      toolChoice: { type: 'required' },
      allowsParallelTools: false,
      maxOutputTokens: 1000,
      temperature: 0.5,
      topP: 0.9,
      reasoningEffort: 'high',
      responseFormat: { type: 'json', name: 'plan', schema: SCHEMA, strict: true },
      verbosity: 'low',
    },
  });
});

test('null stands for absent', () => {
  expect(
    decodeResponsesRequest({
      model: null,
      instructions: null,
      input: 'Hi',
      previous_response_id: null,
      conversation: null,
      background: null,
      tools: null,
      tool_choice: null,
      reasoning: null,
      text: null,
      metadata: null,
      stream: null,
    }),
  ).toEqual({
    asked: '',
    isStreamed: false,
    context: {
      tools: expect.any(ToolNames),
      toolChoice: 'auto',
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      metadata: {},
    },
    call: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] },
  });
});

test('messages may leave out their type, and parts of every kind are understood', () => {
  expect(
    promptOf(
      { role: 'developer', content: 'Be short.' },
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be kind.' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
          { type: 'input_file', filename: 'plan.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          { type: 'input_file', file_url: 'https://example.com/b.pdf' },
        ],
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        phase: 'commentary',
        content: [
          { type: 'output_text', text: 'I see.', annotations: [] },
          { type: 'refusal', refusal: 'But no.' },
        ],
      },
    ),
  ).toEqual([
    { role: 'system', content: 'Be short.' },
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
        { type: 'file', mediaType: 'image/*', data: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'file',
          mediaType: 'application/pdf',
          data: { type: 'base64', base64: 'JVBERi0=' },
          filename: 'plan.pdf',
        },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: 'https://example.com/b.pdf' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I see.', providerOptions: { openai: { phase: 'commentary' } } },
        { type: 'text', text: 'But no.', providerOptions: { openai: { phase: 'commentary' } } },
      ],
    },
  ]);
});

test('the items of one answer are one message, and so are the results of its calls', () => {
  expect(
    promptOf(
      { role: 'user', content: 'Look' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'gAAA' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' },
      { type: 'function_call', call_id: 'c2', name: 'shot', arguments: '' },
      { type: 'function_call_output', call_id: 'c1', output: 'const a = 1;' },
      {
        type: 'function_call_output',
        call_id: 'c2',
        output: [
          { type: 'input_text', text: 'a picture' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
      { type: 'function_call_output', call_id: 'c3', output: null },
      { role: 'user', content: 'Go on' },
    ),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: 'Hm.',
          providerOptions: { openai: { itemId: 'rs_1', encryptedContent: 'gAAA' } },
        },
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: '{"path":"a.ts"}' },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'shot', input: '{}' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'read',
          content: [{ type: 'text', text: 'const a = 1;' }],
          isError: false,
        },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'shot',
          content: [
            { type: 'text', text: 'a picture' },
            { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
          ],
          isError: false,
        },
        { type: 'tool-result', toolCallId: 'c3', toolName: '', content: [], isError: false },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
  ]);
});

test('reasoning has the text of its summary, or of its content where it is open', () => {
  expect(
    promptOf(
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'One.' },
          { type: 'summary_text', text: 'Two.' },
        ],
      },
      {
        type: 'reasoning',
        id: 'rs_2',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'Three.' }],
        encrypted_content: null,
      },
    ),
  ).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'One.\n\nTwo.' },
        { type: 'reasoning', text: 'Three.' },
      ],
    },
  ]);
});

test("items of OpenAI's own tools are passed over, whatever is in them, and named", () => {
  const { call, leftOut } = decodeResponsesRequest({
    input: [
      { role: 'user', content: 'Look' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' }, content: 7 },
      { type: 'mcp_list_tools', tools: 7 },
      { type: 'tool_search_call', arguments: { q: 1 } },
    ],
  });

  expect(call.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Look' }] }]);
  expect(leftOut).toEqual(['input.web_search_call', 'input.mcp_list_tools']);
});

test.each([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  [
    { type: 'function', name: 'read' },
    { type: 'tool', toolName: 'read' },
  ],
  [
    { type: 'function', function: { name: 'read' } },
    { type: 'tool', toolName: 'read' },
  ],
])('the tool choice %j is understood', (choice, expected) => {
  expect(callOf({ tools: [READ], tool_choice: choice }).toolChoice).toEqual(expected);
});

test('a choice of allowed tools leaves the others out', () => {
  const tools = [READ, { ...READ, name: 'write' }];
  const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'write' }] };

  expect(callOf({ tools, tool_choice: choice })).toMatchObject({
    tools: [{ name: 'write' }],
    toolChoice: { type: 'required' },
  });
});

test('an answer in JSON may be asked for without a schema', () => {
  expect(callOf({ text: { format: { type: 'json_object' } } }).responseFormat).toEqual({ type: 'json' });
  expect(callOf({ text: { format: { type: 'text' } } }).responseFormat).toBeUndefined();
});

test.each([
  [{}, 'input: Invalid input: expected array, received undefined'],
  [{ input: [] }, 'input: Too small: expected array to have >=1 items'],
  [{ input: [{ content: 'Hi' }] }, 'input.0.role: expected system, developer, user or assistant.'],
  [{ input: [{ role: 'robot', content: 'Hi' }] }, 'input.0.role: Invalid option'],
  [{ input: [{ role: 'user', content: [{ text: 'Hi' }] }] }, 'input.0.content.0.type: Invalid input: expected string'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
    'input.0.content.0: the part type "input_audio" is not',
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
    'input.0.content.0.image_url: expected a data URL',
  ],
  [
    { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    'input.0.content.0: expected file_data or file_url',
  ],
  [{ input: [{ type: 'function_call', name: 'read' }] }, 'input.0.call_id: expected text.'],
  [
    { input: [{ type: 'function_call_output', call_id: 'c', output: 7 }] },
    'input.0.output: expected text or a list of parts.',
  ],
  [{ input: [{ type: 'item_reference', id: 'rs_1' }] }, 'input.0: this server stores no items to refer to'],
  [{ input: 'Hi', previous_response_id: 'resp_1' }, 'previous_response_id: this server stores no responses'],
  [{ input: 'Hi', conversation: 'conv_1' }, 'conversation: this server stores no responses'],
  [{ input: 'Hi', prompt: { id: 'pmpt_1' } }, 'prompt: this server stores no responses'],
  [{ input: 'Hi', background: true }, 'background: this server stores no responses'],
  [{ input: 'Hi', reasoning: { effort: 'heroic' } }, 'reasoning.effort: Invalid option'],
  [
    { input: 'Hi', tool_choice: { type: 'function' } },
    'tool_choice.name: expected the name of one of the tools of type "function".',
  ],
])('%j is refused with the place of the mistake', (body, message) => {
  expect(() => decodeResponsesRequest(body)).toThrow(
    expect.objectContaining({ code: 'bad-request', message: expect.stringContaining(message) }),
  );
});

describe('an input of which nothing can be told', () => {
  test.each([
    [[{ type: 'weird' }], 'input.0: this model does not support items of type "weird"'],
    [
      [{ type: 'web_search_call' }, { type: 'weird' }],
      'input.0: this model does not support items of type "web_search_call"',
    ],
    [
      [{ type: 'additional_tools', tools: [] }, { type: 'weird' }],
      'input.1: this model does not support items of type "weird"',
    ],
    [[{ type: 'w'.repeat(500) }], `input.0: this model does not support items of type "${'w'.repeat(40)}"`],
  ])('%j is refused', (input, message) => {
    expect(() => decodeResponsesRequest({ instructions: 'Be brief.', input })).toThrow(message);
  });

  test('is left out where something else is said', () => {
    const { call, leftOut } = decodeResponsesRequest({ input: [{ type: 'weird' }, { role: 'user', content: 'hi' }] });
    expect(call.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]);
    expect(leftOut).toEqual(['input.weird']);
  });
});
