import { gatherAnswer, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { encodeOpenAiChatResponse } from './encode-response.ts';
import { encodeOpenAiChatStream } from './encode-stream.ts';

const HI = { role: 'user', content: 'Hi' };
const decode = (fields: object) => decodeOpenAiChatRequest({ model: 'm', messages: [HI], ...fields });

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const READ = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: SCHEMA } };
const PATCH = {
  type: 'custom',
  custom: {
    name: 'patch',
    description: 'Edits.',
    format: { type: 'grammar', grammar: { syntax: 'regex', definition: '[a-z]+' } },
  },
};
const WEATHER = { name: 'weather', description: 'Tells the weather.', parameters: SCHEMA };
const INPUT = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
};

test('custom tools are functions, and so are the functions of clients that know no tools', () => {
  expect(decode({ tools: [READ, PATCH] }).call.tools).toEqual([
    { name: 'read', description: 'Reads.', inputSchema: SCHEMA },
    {
      name: 'patch',
      description: 'Edits.\n\nThe input must match this regular expression:\n[a-z]+',
      inputSchema: INPUT,
    },
  ]);
  expect(decode({ functions: [WEATHER] }).call).toMatchObject({
    tools: [{ name: 'weather', description: 'Tells the weather.', inputSchema: SCHEMA }],
    allowsParallelTools: false,
  });
});

test.each([
  [{ tools: [READ, PATCH], tool_choice: { type: 'custom', custom: { name: 'patch' } } }, 'patch'],
  [{ tools: [READ, PATCH], tool_choice: { type: 'function', function: { name: 'read' } } }, 'read'],
  [{ tools: [READ, PATCH], tool_choice: { function: { name: 'read' } } }, 'read'],
  [{ functions: [WEATHER], function_call: { name: 'weather' } }, 'weather'],
])('%j means one tool', (fields, toolName) => {
  expect(decode(fields).call.toolChoice).toEqual({ type: 'tool', toolName });
});

test('a choice of allowed tools leaves the others out, and words are kept', () => {
  const allowed = { mode: 'required', tools: [{ type: 'custom', custom: { name: 'patch' } }] };
  expect(
    decode({ tools: [READ, PATCH], tool_choice: { type: 'allowed_tools', allowed_tools: allowed } }).call,
  ).toMatchObject({
    tools: [{ name: 'patch' }],
    toolChoice: { type: 'required' },
  });
  expect(decode({ functions: [WEATHER], function_call: 'none' }).call.toolChoice).toEqual({ type: 'none' });
});

test.each([
  [{ tools: [READ], tool_choice: { type: 'custom', custom: { name: 'read' } } }, 'tool_choice.name: expected the name'],
  [
    { tools: [], tool_choice: 'required' },
    'tool_choice: a tool call is required, but none of the tools can be called.',
  ],
  [{ tools: [{ type: 'retrieval' }] }, 'tools.0: a tool of type "retrieval" runs at its provider'],
  [
    { messages: [HI, { role: 'assistant', tool_calls: [{ id: 'c1', type: 'mystery' }] }] },
    'messages.1.tool_calls.0: expected a function call or a custom tool call.',
  ],
])('%j is refused', (fields, message) => {
  expect(() => decode(fields)).toThrow(message);
});

test('what nobody could call, and a search of the web, is left out and named', () => {
  const { call, leftOut } = decode({ tools: [null, { type: 'function', function: {} }, { type: 'web_search' }, READ] });
  expect(call.tools.map(({ name }) => name)).toEqual(['read']);
  expect(leftOut).toEqual(['tools.0', 'tools.1', 'tools.web_search']);
});

test('custom calls and calls of functions in the history belong to their results', () => {
  const { call } = decode({
    messages: [
      HI,
      { role: 'assistant', tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'patch', input: 'a"b' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '{"path":"x"}' } },
      { role: 'function', name: 'weather', content: 'sunny' },
      { role: 'assistant', content: null, function_call: { name: 'weather', arguments: '' } },
      { role: 'function', name: 'weather', content: 'rain' },
    ],
  });
  const made = (toolCallId: string, toolName: string, input: string) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId, toolName, input }],
  });
  const result = (toolCallId: string, toolName: string, text: string) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName, content: [{ type: 'text', text }], isError: false }],
  });
  expect(call.prompt.slice(1)).toEqual([
    made('c1', 'patch', '{"input":"a\\"b"}'),
    result('c1', 'patch', 'ok'),
    made('function_3', 'weather', '{"path":"x"}'),
    result('function_3', 'weather', 'sunny'),
    made('function_5', 'weather', '{}'),
    result('function_5', 'weather', 'rain'),
  ]);
});

const callEvents = (id: string, toolName: string, ...pieces: string[]): ModelEvent[] => [
  { type: 'tool-input-start', id, toolName },
  ...pieces.map((delta): ModelEvent => ({ type: 'tool-input-delta', id, delta })),
  { type: 'tool-input-end', id },
];

interface Message {
  tool_calls?: { id: string; type: string; function?: { name: string }; custom?: { name: string } }[];
  function_call?: object;
}

function answer(fields: object, ...events: ModelEvent[]): { deltas: object[]; finish: string; message: Message } {
  const request = decode(fields);
  let written = '';
  const sink = encodeOpenAiChatStream((text) => (written += text), request);
  const gathered = gatherAnswer();
  for (const event of [...events, { type: 'finish', finishReason: 'tool-calls' } as const]) {
    sink.push(event);
    gathered.push(event);
  }
  const choices = [...written.matchAll(/^data: (\{.*)$/gm)].map(
    ([, data]) => (JSON.parse(data!) as { choices: [{ delta: object; finish_reason: string }] }).choices[0],
  );
  const whole = encodeOpenAiChatResponse(gathered.answer, request) as {
    choices: [{ message: Message; finish_reason: string }];
  };
  expect(whole.choices[0].finish_reason).toBe(choices.at(-1)!.finish_reason);
  return {
    deltas: choices.slice(0, -1).map(({ delta }) => delta),
    finish: choices.at(-1)!.finish_reason,
    message: whole.choices[0].message,
  };
}

test('a custom call is streamed with its text, beside the call of a function', () => {
  const { deltas, finish, message } = answer(
    { tools: [READ, PATCH] },
    ...callEvents('c1', 'patch', '{"inp', 'ut":"a\\', 'nb"}'),
    ...callEvents('c2', 'read', '{"path":', '"x"}'),
  );
  expect(deltas).toEqual([
    { role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'patch', input: '' } }] },
    { tool_calls: [{ index: 0, custom: { input: 'a' } }] },
    { tool_calls: [{ index: 0, custom: { input: '\nb' } }] },
    { tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'read', arguments: '' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '{"path":' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '"x"}' } }] },
  ]);
  expect(finish).toBe('tool_calls');
  expect(message.tool_calls).toEqual([
    { id: 'c1', type: 'custom', custom: { name: 'patch', input: 'a\nb' } },
    { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } },
  ]);
});

test('a client that knows functions alone is called in its own way, one at a time', () => {
  const { deltas, finish, message } = answer(
    { functions: [WEATHER] },
    ...callEvents('c1', 'weather', '{"path":', '"x"}'),
    ...callEvents('c2', 'weather', '{}'),
  );
  expect(deltas).toEqual([
    { role: 'assistant', function_call: { name: 'weather', arguments: '' } },
    { function_call: { arguments: '{"path":' } },
    { function_call: { arguments: '"x"}' } },
  ]);
  expect(finish).toBe('function_call');
  expect(message).toMatchObject({ function_call: { name: 'weather', arguments: '{"path":"x"}' } });
  expect(message.tool_calls).toBeUndefined();
});

const word = fc.oneof(
  fc.constantFrom('a', 'b', 'constructor', '__proto__'),
  fc.string({ minLength: 1, maxLength: 100 }).filter((name) => name.trim() !== ''),
);
const anyTool = fc
  .record({ type: fc.constantFrom('function', 'custom'), name: word })
  .map(({ type, name }) => ({ type, [type]: { name } }));

test('whatever tools are offered, a call comes back under the name and kind of its own tool', () => {
  fc.assert(
    fc.property(fc.array(anyTool, { maxLength: 12 }), (tools) => {
      const names = decode({ tools }).call.tools.map(({ name }) => name);
      const { message } = answer({ tools }, ...names.flatMap((name, at) => callEvents(`c${at}`, name, '{"input":""}')));
      const called = (message.tool_calls ?? []).map(({ type, function: func, custom }) => ({
        type,
        [type]: { name: (custom ?? func)!.name },
      }));
      expect(called).toEqual([...new Map(tools.map((tool) => [JSON.stringify(tool), tool])).values()]);
      const history = decode({ tools, messages: [HI, { role: 'assistant', ...message }] }).call.prompt[1];
      expect(history!.role === 'assistant' && history!.content).toMatchObject(names.map((toolName) => ({ toolName })));
    }),
    { seed: 1, numRuns: 150 },
  );
});
