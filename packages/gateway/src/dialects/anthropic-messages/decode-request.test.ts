import { expect, test } from 'vitest';
import { ToolNames } from '../../tools/tool-names.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { encodeAnthropicResponse } from './encode-response.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const callOf = (fields: object) => decodeAnthropicRequest({ messages: [user('Hi')], ...fields }).call;
const promptOf = (...messages: unknown[]) => decodeAnthropicRequest({ messages }).call.prompt;

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const CACHED = { cache_control: { type: 'ephemeral' } };
const CACHED_OPTIONS = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } };

test('a request becomes a call with its settings', () => {
  expect(
    decodeAnthropicRequest({
      model: 'claude-sonnet-5',
      max_tokens: 1000,
      system: 'Be short.',
      messages: [user('Hi')],
      tools: [{ name: 'read', description: 'Reads a file.', input_schema: SCHEMA }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      output_config: { effort: 'low', format: { type: 'json_schema', schema: SCHEMA } },
      stream: true,
      metadata: { user_id: 'u' },
    }),
  ).toEqual({
    asked: 'claude-sonnet-5',
    isStreamed: true,
    context: { tools: expect.any(ToolNames) },
    call: {
      prompt: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [{ name: 'read', description: 'Reads a file.', inputSchema: SCHEMA }],
      toolChoice: { type: 'required' },
      allowsParallelTools: false,
      endUser: 'u',
      maxOutputTokens: 1000,
      stopSequences: ['END'],
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      reasoningEffort: 'low',
      responseFormat: { type: 'json', schema: SCHEMA },
    },
  });
});

test('null stands for absent, and a request without a limit is taken, as those that only count tokens have none', () => {
  expect(
    decodeAnthropicRequest({
      model: null,
      max_tokens: null,
      system: null,
      messages: [user('Hi')],
      tools: null,
      tool_choice: null,
      stop_sequences: null,
      temperature: null,
      thinking: null,
      output_config: null,
      stream: null,
    }),
  ).toEqual({
    asked: '',
    isStreamed: false,
    context: { tools: expect.any(ToolNames) },
    call: { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }], tools: [] },
  });
});

test('cache marks stay where they were: on system blocks, parts, results, calls and tools', () => {
  expect(
    callOf({
      system: [
        { type: 'text', text: 'Be short.' },
        { type: 'text', text: 'Be kind.', ...CACHED },
      ],
      tools: [{ name: 'read', input_schema: SCHEMA, ...CACHED }],
      messages: [
        user([{ type: 'text', text: 'Hi', ...CACHED }]),
        assistant([{ type: 'tool_use', id: 't1', name: 'read', input: {}, ...CACHED }]),
        user([{ type: 'tool_result', tool_use_id: 't1', content: 'text', ...CACHED }]),
      ],
    }),
  ).toEqual({
    prompt: [
      { role: 'system', content: 'Be short.' },
      { role: 'system', content: 'Be kind.', ...CACHED_OPTIONS },
      { role: 'user', content: [{ type: 'text', text: 'Hi', ...CACHED_OPTIONS }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 't1', toolName: 'read', input: '{}', ...CACHED_OPTIONS }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 't1',
            toolName: 'read',
            content: [{ type: 'text', text: 'text' }],
            isError: false,
            ...CACHED_OPTIONS,
          },
        ],
      },
    ],
    tools: [{ name: 'read', description: '', inputSchema: SCHEMA, ...CACHED_OPTIONS }],
  });
});

test('a cache mark on the request is one on its last message', () => {
  expect(callOf(CACHED).prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }], ...CACHED_OPTIONS }]);
});

test('results of tools come before what the user said in the same turn, and know the name of their call', () => {
  expect(
    promptOf(
      user('Look'),
      assistant([
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a.ts' } },
        { type: 'tool_use', id: 't2', name: 'shot', input: {} },
      ]),
      user([
        { type: 'text', text: 'Go on.' },
        { type: 'tool_result', tool_use_id: 't1', content: 'no such file', is_error: true },
        {
          type: 'tool_result',
          tool_use_id: 't2',
          content: [
            { type: 'text', text: 'a picture' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        { type: 'tool_result', tool_use_id: 't3' },
      ]),
    ),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Look' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool-call', toolCallId: 't1', toolName: 'read', input: '{"path":"a.ts"}' },
        { type: 'tool-call', toolCallId: 't2', toolName: 'shot', input: '{}' },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 't1',
          toolName: 'read',
          content: [{ type: 'text', text: 'no such file' }],
          isError: true,
        },
        {
          type: 'tool-result',
          toolCallId: 't2',
          toolName: 'shot',
          content: [
            { type: 'text', text: 'a picture' },
            { type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } },
          ],
          isError: false,
        },
        { type: 'tool-result', toolCallId: 't3', toolName: '', content: [], isError: false },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ]);
});

test('thoughts keep their signature or their hidden data, and those of other providers have neither', () => {
  expect(
    promptOf(
      user('Hi'),
      assistant([
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'cmVk' },
        { type: 'thinking', thinking: 'So.', signature: '' },
      ]),
    )[1],
  ).toEqual({
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { redactedData: 'cmVk' } } },
      { type: 'reasoning', text: 'So.' },
    ],
  });
});

test('pictures and documents become files, and documents of text become text', () => {
  expect(
    promptOf(
      user([
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'document',
          title: 'Plan',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
        },
        { type: 'document', source: { type: 'url', url: 'https://example.com/b.pdf' } },
        { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'one' } },
        { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: 'dHdv' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'three' }] } },
        {
          type: 'search_result',
          source: 'https://example.com',
          title: 'Found',
          content: [{ type: 'text', text: 'four' }],
        },
      ]),
    ),
  ).toEqual([
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'image/*', data: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'file',
          mediaType: 'application/pdf',
          data: { type: 'base64', base64: 'JVBERi0=' },
          filename: 'Plan',
        },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: 'https://example.com/b.pdf' } },
        { type: 'text', text: 'Notes' },
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
        { type: 'text', text: 'three' },
        { type: 'text', text: 'Found\nhttps://example.com' },
        { type: 'text', text: 'four' },
      ],
    },
  ]);
});

test('a system message in the middle of a conversation stays there', () => {
  expect(promptOf(user('Hi'), { role: 'system', content: 'Now be long.' }, user('Go on'))).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'system', content: 'Now be long.' },
    { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
  ]);
});

test.each([
  [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, 'low'],
  [{ thinking: { type: 'enabled', budget_tokens: 10_000 } }, 'medium'],
  [{ thinking: { type: 'enabled', budget_tokens: 31_999 } }, 'high'],
  [{ thinking: { type: 'adaptive' } }, 'high'],
  [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'max'],
  [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, 'none'],
  [{ output_config: { effort: 'medium' } }, 'medium'],
  [{}, undefined],
])('%j asks for the effort %s', (fields, effort) => {
  expect(callOf(fields).reasoningEffort).toBe(effort);
});

test.each([
  [{ type: 'auto' }, { toolChoice: { type: 'auto' } }],
  [
    { type: 'auto', disable_parallel_tool_use: false },
    { toolChoice: { type: 'auto' }, allowsParallelTools: true },
  ],
  [{ type: 'none' }, { toolChoice: { type: 'none' } }],
  [{ type: 'tool', name: 'read' }, { toolChoice: { type: 'tool', toolName: 'read' } }],
])('the tool choice %j is understood', (choice, expected) => {
  expect(callOf({ tools: [{ name: 'read', input_schema: SCHEMA }], tool_choice: choice })).toMatchObject(expected);
});

test('tools that Anthropic runs are left out where a model can do without, and refused otherwise', () => {
  const tools = [
    { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    { type: 'web_fetch_20250910', name: 'web_fetch' },
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    { name: 'read', input_schema: SCHEMA, defer_loading: true },
  ];
  const { call, leftOut } = decodeAnthropicRequest({ messages: [{ role: 'user', content: 'Hi' }], tools });
  expect(call.tools.map((tool) => tool.name)).toEqual(['read']);
  expect(leftOut).toEqual([
    'tools.web_search_20250305',
    'tools.web_fetch_20250910',
    'tools.tool_search_tool_regex_20251119',
  ]);
  expect(() => callOf({ tools, tool_choice: { type: 'tool', name: 'web_search' } })).toThrow(
    'tool_choice.name: expected the name of one of the tools that does not run at Anthropic.',
  );
  expect(() => callOf({ tools: tools.slice(0, 1), tool_choice: { type: 'any' } })).toThrow(
    'tool_choice: a tool call is required, but none of the tools can be called.',
  );
  for (const type of ['code_execution_20250825', 'mcp_toolset', 'advisor_20260301', 'computer_toolset_20260801']) {
    expect(() => callOf({ tools: [{ type, name: 'x' }] })).toThrow(
      `tools.0: a tool of type "${type}" runs at Anthropic, so models of other providers cannot use it. Leave it out, use a function, or use a model at Anthropic.`,
    );
  }
});

test.each([
  ['bash_20250124', 'bash', ['command', 'restart'], undefined],
  [
    'text_editor_20250124',
    'str_replace_editor',
    ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range'],
    ['view', 'create', 'str_replace', 'insert', 'undo_edit'],
  ],
  [
    'text_editor_20250728',
    'str_replace_based_edit_tool',
    ['command', 'path', 'file_text', 'old_str', 'new_str', 'insert_line', 'view_range', 'insert_text'],
    ['view', 'create', 'str_replace', 'insert'],
  ],
  [
    'memory_20250818',
    'memory',
    [
      'command',
      'path',
      'file_text',
      'old_str',
      'new_str',
      'insert_line',
      'view_range',
      'insert_text',
      'old_path',
      'new_path',
    ],
    ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
  ],
  ['computer_20241022', 'computer', ['action', 'coordinate', 'text'], undefined],
])('the tool %s runs in the client and is a function with what it takes', (type, name, fields, commands) => {
  const [tool] = callOf({ tools: [{ type, name, cache_control: { type: 'ephemeral' } }] }).tools;
  const properties = tool!.inputSchema['properties'] as Record<string, { enum?: string[] }>;

  expect(tool).toMatchObject({ name, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } });
  expect(Object.keys(properties)).toEqual(fields);
  expect(properties['command']?.enum).toEqual(commands);
  expect(callOf({ tools: [{ type, name }], tool_choice: { type: 'tool', name } }).toolChoice).toEqual({
    type: 'tool',
    toolName: name,
  });
});

test('what tools at Anthropic did is left out of the history and named', () => {
  const { call, leftOut } = decodeAnthropicRequest({
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
          { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
          { type: 'text', text: 'Found.' },
        ],
      },
    ],
  });
  expect(call.prompt[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Found.' }] });
  expect(leftOut).toEqual(['messages.server_tool_use', 'messages.web_search_tool_result']);
});

test('a name that other providers would refuse is replaced, and is the same in a call of it', () => {
  const name = 'x'.repeat(100);
  const request = decodeAnthropicRequest({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name, input: {} }] },
    ],
    tools: [{ name, input_schema: SCHEMA }],
  });
  const [tool] = request.call.tools;
  expect(tool!.name).toMatch(/^x{55}_[0-9a-f]{8}$/);
  expect(request.call.prompt[1]!.content).toMatchObject([{ toolName: tool!.name }]);
  expect(
    encodeAnthropicResponse(
      {
        content: [{ type: 'tool-call', toolCallId: 'c2', toolName: tool!.name, input: '{}' }],
        finishReason: 'tool-calls',
      },
      request,
    ),
  ).toMatchObject({ content: [{ type: 'tool_use', name }] });
});

test.each([
  [{}, 'messages: Invalid input: expected array, received undefined'],
  [{ messages: [] }, 'messages: Too small: expected array to have >=1 items'],
  [{ messages: [{ role: 'robot', content: 'Hi' }] }, 'messages.0.role: Invalid option'],
  [{ messages: [user([{ text: 'Hi' }])] }, 'messages.0.content.0.type: Invalid input: expected string'],
  [{ messages: [user('a'), user([{ type: 'text', text: 7 }])] }, 'messages.1.content.0.text: Invalid input'],
  [{ messages: [user([{ type: 'hologram' }])] }, 'messages.0.content.0: the block type "hologram" is not supported'],
  [{ messages: [assistant([{ type: 'tool_use', id: 't' }])] }, 'messages.0.content.0.name: expected text.'],
  [{ messages: [user([{ type: 'tool_result' }])] }, 'messages.0.content.0.tool_use_id: expected text.'],
  [
    { messages: [user([{ type: 'tool_result', tool_use_id: 't', content: 7 }])] },
    'messages.0.content.0.content: expected text or a list of blocks.',
  ],
  [
    { messages: [user([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'video' }] }])] },
    'messages.0.content.0.content.0: the block type "video"',
  ],
  [{ messages: [user([{ type: 'image' }])] }, 'messages.0.content.0.source: expected base64 data or a URL.'],
  [
    { messages: [user([{ type: 'image', source: { type: 'file', file_id: 'f' } }])] },
    'messages.0.content.0.source: the source type "file" is not supported',
  ],
  [
    { messages: [user([{ type: 'image', source: { type: 'base64', media_type: 'image/tiff', data: 'AA' } }])] },
    'messages.0.content.0.source.media_type: "image/tiff" is not supported. Send PNG, JPEG, GIF, WebP or PDF.',
  ],
  [{ messages: [user('Hi')], temperature: 'hot' }, 'temperature: Invalid input: expected number, received string'],
  [
    { messages: [user('Hi')], tool_choice: { type: 'tool' } },
    'tool_choice.name: expected the name of one of the tools',
  ],
])('%j is refused with the place of the mistake', (body, message) => {
  expect(() => decodeAnthropicRequest(body)).toThrow(
    expect.objectContaining({ code: 'bad-request', message: expect.stringContaining(message) }),
  );
});
