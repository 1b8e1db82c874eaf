import { gatherAnswer, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeResponsesRequest } from './decode-request.ts';
import { encodeResponsesResponse } from './encode-response.ts';
import { encodeResponsesStream } from './encode-stream.ts';

const decode = (fields: object) => decodeResponsesRequest({ model: 'm', input: 'Hi', ...fields });
const toolsOf = (fields: object) => decode(fields).call.tools;
const namesOf = (fields: object) => toolsOf(fields).map(({ name }) => name);

const SCHEMA = { type: 'object', properties: { message: { type: 'string' } } };
const PATCH = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin hunk+ end' },
};
const EVERY = {
  type: 'namespace',
  name: 'mcp__every',
  description: 'Tries everything.',
  tools: [
    { type: 'function', name: 'echo', description: 'Says it again.', strict: false, parameters: SCHEMA },
    { type: 'custom', name: 'run', description: 'Runs code.', format: { type: 'text' } },
  ],
};
const INPUT = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
};

test('custom tools and those of namespaces are functions', () => {
  expect(toolsOf({ tools: [PATCH, EVERY] })).toEqual([
    {
      name: 'apply_patch',
      description: 'Edits files.\n\nThe input must follow this Lark grammar:\nstart: begin hunk+ end',
      inputSchema: INPUT,
    },
    {
      name: 'mcp__every__echo',
      description: 'About all tools of mcp__every: Tries everything.\n\nSays it again.',
      inputSchema: SCHEMA,
    },
    { name: 'mcp__every__run', description: 'Runs code.', inputSchema: INPUT },
  ]);
});

test('tools in the input are offered as well, each once and in its last form', () => {
  const exec = { type: 'custom', name: 'exec', description: 'Runs JavaScript.', format: { type: 'text' } };
  const wait = { type: 'function', name: 'wait', description: 'Waits.', parameters: SCHEMA, strict: false };
  const input = [
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [{ type: 'namespace', name: 'functions', description: '', tools: [exec, wait] }, EVERY],
    },
    { role: 'user', content: 'Hi' },
    { type: 'additional_tools', role: 'developer', tools: [{ ...EVERY, tools: [{ ...wait, name: 'echo' }] }] },
  ];
  expect(toolsOf({ input, tools: [wait] }).map(({ name, description }) => [name, description])).toEqual([
    ['wait', 'Waits.'],
    ['exec', 'Runs JavaScript.'],
    [expect.stringMatching(/^wait_[0-9a-f]{8}$/), 'Waits.'],
    ['mcp__every__echo', 'About all tools of mcp__every: Tries everything.\n\nWaits.'],
    ['mcp__every__run', 'Runs code.'],
  ]);
});

test('calls in the history have the names that the model knows, and their results belong to them', () => {
  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const { call } = decode({
    tools: [PATCH, EVERY],
    input: [
      { role: 'user', content: 'Go' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin "Patch"\n' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done.' },
      { type: 'function_call', call_id: 'c2', namespace: 'mcp__every', name: 'echo', arguments: '{"message":"a"}' },
      { type: 'custom_tool_call', call_id: 'c3', namespace: 'mcp__every', name: 'run', input: '' },
      { type: 'function_call_output', call_id: 'c2', output: 'a' },
      { type: 'custom_tool_call_output', call_id: 'c3', output: [{ type: 'input_text', text: 'ok' }, image] },
    ],
  });
  const text = (value: string) => ({ type: 'text', text: value });
  const result = (toolCallId: string, toolName: string, ...content: object[]) => ({
    type: 'tool-result',
    toolCallId,
    toolName,
    content,
    isError: false,
  });
  expect(call.prompt).toEqual([
    { role: 'user', content: [text('Go')] },
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'apply_patch',
          input: '{"input":"*** Begin \\"Patch\\"\\n"}',
        },
      ],
    },
    { role: 'tool', content: [result('c1', 'apply_patch', text('Done.'))] },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c2', toolName: 'mcp__every__echo', input: '{"message":"a"}' },
        { type: 'tool-call', toolCallId: 'c3', toolName: 'mcp__every__run', input: '{"input":""}' },
      ],
    },
    {
      role: 'tool',
      content: [
        result('c2', 'mcp__every__echo', text('a')),
        result('c3', 'mcp__every__run', text('ok'), {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'base64', base64: 'AAAA' },
        }),
      ],
    },
  ]);
});

test('a search for tools in the client is a function, and what it found can be called', () => {
  const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: SCHEMA };
  const { call } = decode({
    tools: [search],
    input: [
      { role: 'user', content: 'Go' },
      { type: 'tool_search_call', call_id: 's1', execution: 'client', status: 'completed', arguments: { query: 'x' } },
      { type: 'tool_search_output', call_id: 's1', execution: 'client', status: 'completed', tools: [EVERY] },
    ],
  });
  expect(call.tools.map(({ name }) => name)).toEqual(['tool_search', 'mcp__every__echo', 'mcp__every__run']);
  expect(call.prompt.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 's1', toolName: 'tool_search', input: '{"query":"x"}' }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 's1',
          toolName: 'tool_search',
          content: [{ type: 'text', text: 'These tools can be called now: mcp__every__echo, mcp__every__run' }],
          isError: false,
        },
      ],
    },
  ]);
});

test('shells and patches that run in the client are functions, with their history', () => {
  const { call } = decode({
    tools: [{ type: 'local_shell' }, { type: 'shell', environment: { type: 'local' } }, { type: 'apply_patch' }],
    input: [
      { role: 'user', content: 'Go' },
      {
        type: 'local_shell_call',
        id: 'lsh_1',
        call_id: 'c1',
        status: 'completed',
        action: { type: 'exec', command: ['ls', '-l'], env: {} },
      },
      { type: 'local_shell_call_output', id: 'c1', output: 'a.ts' },
      { type: 'shell_call', call_id: 'c2', action: { commands: ['false'] } },
      {
        type: 'shell_call_output',
        call_id: 'c2',
        output: [{ stdout: '', stderr: 'no', outcome: { type: 'exit', exit_code: 1 } }],
      },
      { type: 'apply_patch_call', call_id: 'c3', operation: { type: 'delete_file', path: 'a.ts' } },
      { type: 'apply_patch_call_output', call_id: 'c3', status: 'failed', output: 'no such file' },
    ],
  });
  expect(call.tools.map(({ name }) => name)).toEqual(['local_shell', 'shell', 'apply_patch']);
  const parts = call.prompt
    .flatMap((message): unknown[] => (message.role === 'system' ? [] : message.content))
    .slice(1);
  expect(parts).toMatchObject([
    { toolCallId: 'c1', toolName: 'local_shell', input: '{"command":["ls","-l"]}' },
    { toolCallId: 'c1', toolName: 'local_shell', content: [{ text: 'a.ts' }] },
    { toolCallId: 'c2', toolName: 'shell', input: '{"commands":["false"]}' },
    { toolCallId: 'c2', content: [{ text: 'no\n(exit code 1)' }] },
    { toolCallId: 'c3', toolName: 'apply_patch', input: '{"type":"delete_file","path":"a.ts"}' },
    { toolCallId: 'c3', content: [{ text: 'no such file' }], isError: true },
  ]);
});

test('a search of the web that is only offered is left out and named; what holds more is refused', () => {
  const { call, leftOut } = decode({
    tools: [{ type: 'web_search', external_web_access: false }, { type: 'web_search_preview_2025_03_11' }, PATCH],
  });
  expect(call.tools.map(({ name }) => name)).toEqual(['apply_patch']);
  expect(leftOut).toEqual(['tools.web_search', 'tools.web_search_preview_2025_03_11']);

  for (const type of ['file_search', 'code_interpreter', 'mcp', 'computer', 'computer_use_preview', 'teleport']) {
    expect(() => decode({ tools: [PATCH, { type }] })).toThrow(
      `tools.1: a tool of type "${type}" runs at OpenAI, so models of other providers cannot use it. Leave it out, use a function, or use a model at OpenAI.`,
    );
  }
  expect(() => decode({ tools: [{ type: 'shell', environment: { type: 'container_auto' } }] })).toThrow(
    'tools.0: a tool of type "shell" runs at OpenAI',
  );
});

test('an entry that nobody could call is left out and named', () => {
  const { call, leftOut } = decode({
    tools: [{ type: 'function' }, { type: 'custom', name: ' ' }, { ...EVERY, name: 'x'.repeat(129) }, PATCH],
  });
  expect(call.tools).toHaveLength(1);
  expect(leftOut).toEqual(['tools.0', 'tools.1', 'tools.2']);
});

test.each([
  [{ type: 'custom', name: 'apply_patch' }, 'apply_patch'],
  [{ type: 'function', name: 'echo' }, 'mcp__every__echo'],
  [{ type: 'function', name: 'echo', namespace: 'mcp__every' }, 'mcp__every__echo'],
  [{ type: 'custom', name: 'run', namespace: 'mcp__every' }, 'mcp__every__run'],
  [{ type: 'local_shell' }, 'local_shell'],
])('the choice %j means the tool %s', (choice, toolName) => {
  expect(decode({ tools: [PATCH, EVERY, { type: 'local_shell' }], tool_choice: choice }).call.toolChoice).toEqual({
    type: 'tool',
    toolName,
  });
});

test('a choice of allowed tools may name custom tools, namespaces and tools in them', () => {
  const tools = [PATCH, EVERY, { ...EVERY, name: 'mcp__other' }];
  const allowed = (...chosen: object[]) =>
    namesOf({ tools, tool_choice: { type: 'allowed_tools', mode: 'auto', tools: chosen } });

  expect(allowed({ type: 'custom', name: 'apply_patch' })).toEqual(['apply_patch']);
  expect(allowed({ type: 'namespace', name: 'mcp__other' })).toEqual(['mcp__other__echo', 'mcp__other__run']);
  expect(allowed({ type: 'function', name: 'echo' })).toEqual(['mcp__every__echo', 'mcp__other__echo']);
  expect(allowed({ type: 'function', name: 'echo', namespace: 'mcp__other' })).toEqual(['mcp__other__echo']);
});

test.each([
  [{ type: 'web_search' }, 'tool_choice: a tool of type "web_search" is not supported; use a function.'],
  [
    { type: 'custom', name: 'run', namespace: 'mcp__other' },
    'tool_choice.name: expected the name of one of the tools of type "custom".',
  ],
  [
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] },
    'tool_choice.tools: a tool call is required, but none of the tools can be called.',
  ],
])('the choice %j cannot be kept and is refused', (choice, message) => {
  expect(() => decode({ tools: [PATCH, EVERY, { type: 'web_search' }], tool_choice: choice })).toThrow(message);
});

test('a tool must be called, and the only one runs elsewhere: that is refused', () => {
  expect(() => decode({ tools: [{ type: 'web_search' }], tool_choice: 'required' })).toThrow(
    'tool_choice: a tool call is required, but none of the tools can be called.',
  );
});

test.each([
  ['compaction', 'only OpenAI can read its compacted content; send the conversation itself.'],
  ['compaction_trigger', 'models of other providers do not support compaction; ask for a summary.'],
  ['computer_call_output', 'models of other providers do not support this computer tool; use functions.'],
])('an item of type %s is refused, because the conversation would not be the same without it', (type, message) => {
  expect(() => decode({ input: [{ type, encrypted_content: 'gAAA' }] })).toThrow(`input.0: ${message}`);
});

test('what one agent tells another is read, unless it is encrypted', () => {
  const message = (content: object) => [
    { type: 'agent_message', author: '/root', recipient: '/root/a', content: [content] },
  ];
  expect(decode({ input: message({ type: 'input_text', text: 'Count.' }) }).call.prompt).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Message from /root to /root/a:\nCount.' }] },
  ]);
  expect(() => decode({ input: message({ type: 'encrypted_content', encrypted_content: 'gAAA' }) })).toThrow(
    'input.0.content.0: only OpenAI can read its encrypted content; send it as text.',
  );
});

const METADATA: ModelEvent = { type: 'response-metadata', id: 'resp_1', modelId: 'm' };
const callEvents = (id: string, toolName: string, ...pieces: string[]): ModelEvent[] => [
  { type: 'tool-input-start', id, toolName },
  ...pieces.map((delta): ModelEvent => ({ type: 'tool-input-delta', id, delta })),
  { type: 'tool-input-end', id },
];
const FINISH: ModelEvent = { type: 'finish', finishReason: 'tool-calls' };

interface WireEvent {
  type: string;
  sequence_number?: number;
  response?: { output: object[] };
}

/** The events of the answer, and the output that the last of them holds. */
function answer(fields: object, ...events: ModelEvent[]): { events: object[]; output: object[]; whole: object[] } {
  const request = decode(fields);
  let written = '';
  const sink = encodeResponsesStream((text) => (written += text), request);
  const gathered = gatherAnswer();
  for (const event of [METADATA, ...events, FINISH]) {
    sink.push(event);
    gathered.push(event);
  }
  const sent = [...written.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as WireEvent);
  const { output } = encodeResponsesResponse(gathered.answer, request) as { output: object[] };
  return {
    events: sent.slice(2, -1).map(({ sequence_number: _number, ...event }) => event),
    output: sent.at(-1)!.response!.output,
    whole: output,
  };
}

test('a call of a custom tool is streamed as one, its text as it comes', () => {
  const { events, output, whole } = answer(
    { tools: [PATCH, EVERY] },
    ...callEvents('c1', 'mcp__every__run', '{"input":"let a', ' = \\', '"x\\";"', '}'),
  );
  const item = (status: string, input: string) => ({
    id: 'ctc_1_0',
    type: 'custom_tool_call',
    status,
    call_id: 'c1',
    name: 'run',
    namespace: 'mcp__every',
    input,
  });
  const place = { item_id: 'ctc_1_0', output_index: 0 };
  expect(events).toEqual([
    { type: 'response.output_item.added', output_index: 0, item: item('in_progress', '') },
    { type: 'response.custom_tool_call_input.delta', ...place, delta: 'let a' },
    { type: 'response.custom_tool_call_input.delta', ...place, delta: ' = ' },
    { type: 'response.custom_tool_call_input.delta', ...place, delta: '"x";' },
    { type: 'response.custom_tool_call_input.done', ...place, input: 'let a = "x";' },
    { type: 'response.output_item.done', output_index: 0, item: item('completed', 'let a = "x";') },
  ]);
  expect(output).toEqual([item('completed', 'let a = "x";')]);
  expect(whole).toEqual(output);
});

test('a call of a function in a namespace names both', () => {
  const { events, output, whole } = answer({ tools: [EVERY] }, ...callEvents('c1', 'mcp__every__echo', '{}'));
  const item = {
    id: 'fc_1_0',
    type: 'function_call',
    status: 'completed',
    call_id: 'c1',
    name: 'echo',
    namespace: 'mcp__every',
    arguments: '{}',
  };
  expect(events.at(-1)).toEqual({ type: 'response.output_item.done', output_index: 0, item });
  expect(output).toEqual([item]);
  expect(whole).toEqual([item]);
});

test('calls of tools with items of their own are sent as those items', () => {
  const { events, output, whole } = answer(
    {
      tools: [
        { type: 'tool_search', execution: 'client' },
        { type: 'local_shell' },
        { type: 'shell' },
        { type: 'apply_patch' },
      ],
    },
    ...callEvents('c1', 'tool_search', '{"query"', ':"x"}'),
    ...callEvents('c2', 'local_shell', '{"command":["ls"],"timeout_ms":5}'),
    ...callEvents('c3', 'shell', '{"commands":["ls"]}'),
    ...callEvents('c4', 'apply_patch', '{"type":"delete_file","path":"a"}'),
  );
  const items = [
    { id: 'tsc_1_0', type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'x' } },
    {
      id: 'lsh_1_1',
      type: 'local_shell_call',
      call_id: 'c2',
      action: { type: 'exec', env: {}, command: ['ls'], timeout_ms: 5 },
    },
    {
      id: 'sh_1_2',
      type: 'shell_call',
      call_id: 'c3',
      action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
    },
    { id: 'apc_1_3', type: 'apply_patch_call', call_id: 'c4', operation: { type: 'delete_file', path: 'a' } },
  ];
  expect(events).toEqual(
    items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index, item: { ...item, status: 'completed' } },
    ]),
  );
  expect(output).toEqual(items.map((item) => ({ ...item, status: 'completed' })));
  expect(whole).toEqual(output);
});

const word = fc.oneof(
  fc.constantFrom('a', 'b', 'a__b', 'mcp__a', 'functions', 'constructor', '__proto__'),
  fc.string({ minLength: 1, maxLength: 100 }).filter((name) => name.trim() !== ''),
);
const leaf = fc.record({ type: fc.constantFrom('function', 'custom'), name: word });
const anyTool = fc.oneof(
  leaf,
  fc.record({ type: fc.constant('namespace'), name: word, tools: fc.array(leaf, { minLength: 1, maxLength: 5 }) }),
);

test('whatever tools are offered, a call comes back under the name, kind and namespace of its own tool', () => {
  fc.assert(
    fc.property(fc.array(anyTool, { maxLength: 12 }), fc.array(anyTool, { maxLength: 4 }), (tools, added) => {
      const fields = {
        tools,
        input: [
          { type: 'additional_tools', role: 'developer', tools: added },
          { role: 'user', content: 'Hi' },
        ],
      };
      const expected = new Set(
        [...tools, ...added].flatMap((tool) =>
          'tools' in tool
            ? tool.tools.map(({ type, name }) => JSON.stringify([type, name, tool.name]))
            : [JSON.stringify([tool.type, tool.name, undefined])],
        ),
      );
      const names = namesOf(fields);
      const { output, whole } = answer(
        fields,
        ...names.flatMap((name, index) => callEvents(`c${index}`, name, '{"input":"x"}')),
      );
      const calls = output as { type: string; name: string; namespace?: string }[];
      const called = calls.map(({ type, name, namespace }) =>
        JSON.stringify([type === 'custom_tool_call' ? 'custom' : 'function', name, namespace]),
      );
      expect(new Set(called)).toEqual(expected);
      expect(called).toHaveLength(expected.size);
      expect(whole).toEqual(output);

      // Sent back, each call has the name that the model used.
      const history = decode({ ...fields, input: [...fields.input, ...output] }).call;
      expect(history.tools.map(({ name }) => name)).toEqual(names);
      const again = history.prompt.flatMap((message) => (message.role === 'assistant' ? message.content : []));
      expect(again.map((part) => part.type === 'tool-call' && part.toolName)).toEqual(names);
    }),
    { seed: 1, numRuns: 150 },
  );
});
