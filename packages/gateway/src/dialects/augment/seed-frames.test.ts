import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider } from '../../gateway.fixture.ts';

type Json = Record<string, unknown>;

const chunk = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
const said = (...texts: string[]) => [
  ...texts.map((content) => chunk({ delta: { content } })),
  chunk({ delta: {}, finish_reason: 'stop' }),
  'data: [DONE]\n\n',
];
const called = [
  chunk({
    delta: { tool_calls: [{ index: 0, id: 'toolu_123', function: { name: 'read_file', arguments: '{"path":' } }] },
  }),
  chunk({ delta: { tool_calls: [{ index: 0, function: { arguments: '"main.py"}' } }] } }),
  chunk({ delta: {}, finish_reason: 'tool_calls' }),
  'data: [DONE]\n\n',
];

async function open() {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: { fake: provider('openai-chat', fake.url) },
    routes: { default: ['fake/m'] },
    augment: { systemPromptBase: '' },
  });
  const ask = async (path: string, body: Json) => {
    const { status, text } = await gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status,
      lines: text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    };
  };
  return { fake, ask };
}

test('COMPAT-43 COMPAT-45 COMPAT-47 COMPAT-86 the plain conversation of the seed runs as it stands there: a node of type 0 asks, types 0 and 2 answer', async () => {
  const { fake, ask } = await open();
  fake.answer({ body: said('Hel', 'lo.') });

  expect(await ask('/chat-stream', { nodes: [{ type: 0, text: 'Hi.' }] })).toEqual({
    status: 200,
    lines: [
      { type: 0, data: { text: 'Hel' } },
      { type: 0, data: { text: 'lo.' } },
      { type: 2, stop_reason: 'end_turn' },
    ],
  });
  expect(fake.requests[0]!.body['messages']).toEqual([{ role: 'user', content: 'Hi.' }]);
});

test('COMPAT-44 COMPAT-47 COMPAT-82 COMPAT-86 the tool loop of the seed runs as it stands there, and what was sent is read when it comes back', async () => {
  const { fake, ask } = await open();
  const tools = [
    {
      name: 'read_file',
      description: 'Reads.',
      input_schema: { type: 'object', properties: { path: { type: 'string' } } },
    },
  ];
  fake.answer({ body: called }, { body: said('It prints.') });

  const first = await ask('/chat-stream', {
    nodes: [{ type: 0, text: 'What is in main.py?' }],
    tool_definitions: tools,
  });
  expect(first.lines).toEqual([
    { type: 5, data: { tool_use: { id: 'toolu_123', name: 'read_file', input: { path: 'main.py' } } } },
    { type: 2, stop_reason: 'tool_use' },
  ]);

  const second = await ask('/chat-stream', {
    nodes: [{ type: 1, tool_result: { tool_use_id: 'toolu_123', content: 'print(1)' } }],
    chat_history: [{ request_nodes: [{ type: 0, text: 'What is in main.py?' }], response_nodes: first.lines }],
    tool_definitions: tools,
  });
  expect(second.lines).toEqual([
    { type: 0, data: { text: 'It prints.' } },
    { type: 2, stop_reason: 'end_turn' },
  ]);
  expect(fake.requests[1]!.body['messages']).toEqual([
    { role: 'user', content: 'What is in main.py?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'toolu_123', type: 'function', function: { name: 'read_file', arguments: '{"path":"main.py"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'toolu_123', content: 'print(1)' },
  ]);
});

test('COMPAT-86 the second half of the tool loop alone, as the seed draws it, reaches the provider as text', async () => {
  const { fake, ask } = await open();
  fake.answer({ body: said('Fine.') });

  const { lines } = await ask('/chat-stream', {
    nodes: [{ type: 1, tool_result: { tool_use_id: 'toolu_123', content: 'print(1)' } }],
  });

  expect(lines.at(-1)).toEqual({ type: 2, stop_reason: 'end_turn' });
  expect(fake.requests[0]!.body['messages']).toEqual([
    { role: 'user', content: 'Result of the tool call toolu_123:\nprint(1)' },
  ]);
});

test('a provider that stops in the middle of its answer is told at the end of typed lines, where a program looks', async () => {
  const { fake, ask } = await open();
  fake.answer({ body: [chunk({ delta: { content: 'Hel' } })] });

  expect((await ask('/chat-stream', { nodes: [{ type: 0, text: 'Hi.' }] })).lines).toEqual([
    { type: 0, data: { text: 'Hel' } },
    {
      type: 2,
      stop_reason: 'error',
      error: {
        code: 'unavailable',
        message: "Connection error: the provider's answer was terminated before its end (premature close).",
      },
    },
  ]);
});

test('a node of a real client is answered in the lines that it reads, and in typed ones where they are asked for', async () => {
  const { fake, ask } = await open();
  fake.answer({ body: said('Hello.') });
  const body = { nodes: [{ id: 1, type: 0, text_node: { content: 'Hi.' } }] };

  expect((await ask('/chat-stream', body)).lines[0]).toEqual({ text: 'Hello.' });
  expect((await ask('/chat-stream?frames=typed', body)).lines[0]).toEqual({ type: 0, data: { text: 'Hello.' } });
  for (const { body: sent } of fake.requests) expect(sent['messages']).toEqual([{ role: 'user', content: 'Hi.' }]);
});
