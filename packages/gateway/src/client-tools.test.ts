import Anthropic from '@anthropic-ai/sdk';
import { startFakeProvider } from '@dragoman/testkit';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider } from './gateway.fixture.ts';

/** What Codex sends with a model of its own that it drives by code: its tools stand in the input. */
const LITE_TOOLS = {
  type: 'additional_tools',
  role: 'developer',
  tools: [
    {
      type: 'namespace',
      name: 'functions',
      description: '',
      tools: [
        {
          type: 'custom',
          name: 'exec',
          description: 'Runs JavaScript.',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: /[^]+/' },
        },
        {
          type: 'function',
          name: 'wait',
          description: 'Waits for a cell.',
          strict: false,
          parameters: { type: 'object', properties: { cell_id: { type: 'string' } }, required: ['cell_id'] },
        },
      ],
    },
    {
      type: 'namespace',
      name: 'mcp__every',
      description: 'Tools in the mcp__every namespace.',
      tools: [
        {
          type: 'function',
          name: 'echo',
          description: 'Echoes.',
          strict: false,
          parameters: { type: 'object', properties: { message: { type: 'string' } } },
        },
      ],
    },
    { type: 'web_search', external_web_access: false },
  ],
};

const REST = {
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: { effort: 'medium', summary: 'auto', context: 'all_turns' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0198c6a0-0000-7000-8000-000000000000',
  text: { verbosity: 'low' },
  client_metadata: { originator: 'codex_cli_rs' },
};

const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] });
const FIRST_TURN = [LITE_TOOLS, message('developer', 'You are Codex.'), message('user', 'Say hello.')];

interface Upstream {
  /** A stream in which the model calls `exec` and then a tool of the MCP server. */
  answer: string[];
  /** The names of the functions in a request. */
  toolNames(body: Record<string, unknown>): unknown;
  /** The calls of an earlier turn in a request. */
  pastCalls(body: Record<string, unknown>): unknown;
}

const EXEC_ARGS = ['{"input":"text(\\"', 'hi\\");"}'];
const sse = (...events: object[]) =>
  events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`);

type Items = Record<string, never>[];

const UPSTREAMS: Record<'openai-chat' | 'anthropic-messages' | 'gemini' | 'ollama', Upstream> = {
  'openai-chat': {
    answer: [
      ...sse(
        ...[
          { index: 0, id: 'c1', type: 'function', function: { name: 'exec', arguments: '' } },
          ...EXEC_ARGS.map((args) => ({ index: 0, function: { arguments: args } })),
          {
            index: 1,
            id: 'c2',
            type: 'function',
            function: { name: 'mcp__every__echo', arguments: '{"message":"a"}' },
          },
        ].map((call) => ({ id: 'x', choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })),
        { id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      ),
      'data: [DONE]\n\n',
    ],
    toolNames: ({ tools }) => (tools as { function: { name: string } }[]).map((tool) => tool.function.name),
    pastCalls: ({ messages }) =>
      (messages as { tool_calls?: { function: object }[] }[]).flatMap(({ tool_calls: calls }) =>
        (calls ?? []).map((call) => call.function),
      ),
  },
  'anthropic-messages': {
    answer: sse(
      { type: 'message_start', message: { id: 'x', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c1', name: 'exec', input: {} } },
      ...EXEC_ARGS.map((json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: json },
      })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'c2', name: 'mcp__every__echo', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"message":"a"}' },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ),
    toolNames: ({ tools }) => (tools as { name: string }[]).map((tool) => tool.name),
    pastCalls: ({ messages }) =>
      (messages as { content: { type: string; name: string; input: unknown }[] }[]).flatMap(({ content }) =>
        content.flatMap(({ type, name, input }) =>
          type === 'tool_use' ? [{ name, arguments: JSON.stringify(input) }] : [],
        ),
      ),
  },
  gemini: {
    answer: sse({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { functionCall: { name: 'exec', args: { input: 'text("hi");' } } },
              { functionCall: { name: 'mcp__every__echo', args: { message: 'a' } } },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      responseId: 'x',
    }),
    toolNames: ({ tools }) =>
      (tools as { functionDeclarations: { name: string }[] }[]).flatMap((tool) =>
        tool.functionDeclarations.map(({ name }) => name),
      ),
    pastCalls: ({ contents }) =>
      (contents as { parts: { functionCall?: { name: string; args: unknown } }[] }[]).flatMap(({ parts }) =>
        parts.flatMap(({ functionCall: call }) =>
          call === undefined ? [] : [{ name: call.name, arguments: JSON.stringify(call.args) }],
        ),
      ),
  },
  ollama: {
    answer: [
      `${JSON.stringify({
        model: 'm',
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [
            { function: { name: 'exec', arguments: { input: 'text("hi");' } } },
            { function: { name: 'mcp__every__echo', arguments: { message: 'a' } } },
          ],
        },
        done: false,
      })}\n`,
      `${JSON.stringify({ model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' })}\n`,
    ],
    toolNames: ({ tools }) => (tools as { function: { name: string } }[]).map((tool) => tool.function.name),
    pastCalls: ({ messages }) =>
      (messages as { tool_calls?: { function: { name: string; arguments: unknown } }[] }[]).flatMap(
        ({ tool_calls: calls }) =>
          (calls ?? []).map(({ function: { name, arguments: args } }) => ({ name, arguments: JSON.stringify(args) })),
      ),
  },
};

/** What Codex asks for and only some can be told. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'anthropic-messages': 'text.verbosity, ',
  gemini: 'parallel_tool_calls, text.verbosity, ',
  ollama: 'parallel_tool_calls, text.verbosity, ',
};

describe.each(Object.entries(UPSTREAMS))('Codex on %s', (kind, { answer, toolNames, pastCalls }) => {
  test('its tools are offered, its calls are its own again, and so they are in the next turn', async () => {
    const fake = await startFakeProvider();
    const { url, tokenOf } = await openTestGateway({
      providers: { fake: provider(kind as keyof typeof UPSTREAMS, fake.url) },
    });
    const headers = kind === 'ollama' ? { headers: { 'content-type': 'application/x-ndjson' } } : {};
    fake.answer({ body: answer, ...headers });
    const ask = (input: unknown[]) =>
      fetch(`${url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenOf.member}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'fake/m', input, ...REST }),
      });

    const first = await ask(FIRST_TURN);
    const output = doneItems(await first.text());

    expect(toolNames(fake.requests[0]!.body)).toEqual(['exec', 'wait', 'mcp__every__echo']);
    expect(first.headers.get('x-dragoman-left-out')).toBe(
      `client_metadata, tools.web_search, ${LEFT_OUT[kind] ?? ''}prompt_cache_key`,
    );
    expect(output).toMatchObject([
      { type: 'custom_tool_call', name: 'exec', namespace: 'functions', input: 'text("hi");' },
      { type: 'function_call', name: 'echo', namespace: 'mcp__every', arguments: '{"message":"a"}' },
    ]);

    const [exec, echo] = output;
    const second = await ask([
      ...FIRST_TURN,
      ...output,
      { type: 'custom_tool_call_output', call_id: exec!['call_id'], output: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call_output', call_id: echo!['call_id'], output: 'a' },
    ]);
    await second.text();

    expect(pastCalls(fake.requests[1]!.body)).toEqual([
      { name: 'exec', arguments: '{"input":"text(\\"hi\\");"}' },
      { name: 'mcp__every__echo', arguments: '{"message":"a"}' },
    ]);
    expect(toolNames(fake.requests[1]!.body)).toEqual(['exec', 'wait', 'mcp__every__echo']);
  });
});

function doneItems(stream: string): Items {
  return [...stream.matchAll(/^event: response\.output_item\.done\ndata: (.*)$/gm)].map(
    ([, data]) => (JSON.parse(data!) as { item: Items[number] }).item,
  );
}

test('the library of OpenAI reads a custom call from a chat provider, streamed and whole', async () => {
  const fake = await startFakeProvider();
  const { url, tokenOf } = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });
  const question = {
    model: 'fake/m',
    input: 'Say hello.',
    tools: [{ type: 'custom' as const, name: 'exec', description: 'Runs JavaScript.' }],
  };
  const call = { call_id: 'c1', type: 'custom_tool_call', name: 'exec', input: 'text("hi");' };

  fake.answer({ body: UPSTREAMS['openai-chat'].answer });
  const stream = client.responses.stream(question);
  const deltas: string[] = [];
  stream.on('event', (event) => {
    if (event.type === 'response.custom_tool_call_input.delta') deltas.push(event.delta);
  });
  expect((await stream.finalResponse()).output[0]).toMatchObject(call);
  expect(deltas).toEqual(['text("', 'hi");']);

  fake.answer({
    body: JSON.stringify({
      id: 'x',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'exec', arguments: '{"input":"text(\\"hi\\");"}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    }),
  });
  expect((await client.responses.create(question)).output).toMatchObject([call]);
});

test('a tool that runs at OpenAI is refused by name', async () => {
  const fake = await startFakeProvider();
  const { url, tokenOf } = await openTestGateway({ providers: { fake: provider('anthropic-messages', fake.url) } });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });

  await expect(
    client.responses.create({
      model: 'fake/m',
      input: 'Hi',
      tools: [{ type: 'code_interpreter', container: { type: 'auto' } }],
    }),
  ).rejects.toThrow(
    '400 tools.0: a tool of type "code_interpreter" runs at OpenAI, so models of other providers cannot use it. Leave it out, use a function, or use a model at OpenAI.',
  );
  expect(fake.requests).toEqual([]);
});

test('the library of OpenAI reads a custom call in a chat from a model of Anthropic', async () => {
  const fake = await startFakeProvider();
  const { url, tokenOf } = await openTestGateway({ providers: { fake: provider('anthropic-messages', fake.url) } });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });
  fake.answer({ body: UPSTREAMS['anthropic-messages'].answer });

  const completion = await client.chat.completions
    .stream({
      model: 'fake/m',
      messages: [{ role: 'user', content: 'Say hello.' }],
      tools: [{ type: 'custom', custom: { name: 'exec', description: 'Runs JavaScript.' } }],
    })
    .finalChatCompletion();

  expect(completion.choices[0]!.message.tool_calls?.[0]).toMatchObject({
    id: 'c1',
    type: 'custom',
    custom: { name: 'exec', input: 'text("hi");' },
  });
});

test('the library of Anthropic gets a call of its own bash tool from a chat model', async () => {
  const fake = await startFakeProvider();
  const { url, tokenOf } = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });
  const client = new Anthropic({ baseURL: url, apiKey: tokenOf.member, maxRetries: 0 });
  const call = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
  fake.answer({
    body: JSON.stringify({
      id: 'x',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' },
      ],
    }),
  });
  const question = {
    model: 'fake/m',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'List the files.' }],
    tools: [
      { type: 'bash_20250124' as const, name: 'bash' as const },
      { type: 'web_search_20250305' as const, name: 'web_search' as const },
    ],
  };

  const { data, response } = await client.messages.create(question).withResponse();

  expect(data.content).toMatchObject([{ type: 'tool_use', id: 'c1', name: 'bash', input: { command: 'ls' } }]);
  expect(response.headers.get('x-dragoman-left-out')).toBe('tools.web_search_20250305');
  expect(fake.requests[0]!.body['tools']).toMatchObject([{ type: 'function', function: { name: 'bash' } }]);
  const { messages, tools } = question;
  const counted = await client.messages.countTokens({
    model: 'fake/m',
    messages,
    tools: [...tools, { type: 'code_execution_20250825', name: 'code_execution' }],
  });
  expect(counted.input_tokens).toBeGreaterThan(100);
});
