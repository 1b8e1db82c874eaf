import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type FakeProvider, startFakeProvider } from '@dragoman/testkit';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type GatewayConfigInput,
  openTestGateway,
  provider,
  recordedAnswer,
  testConfig,
  type TestGateway,
} from './gateway.fixture.ts';
import { augmentPlugin, gatewayPlugin } from './index.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { ...JSON_TYPE, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A gateway in front of one fake provider. */
async function openWith(
  type: 'openai-chat' | 'openai-responses' | 'anthropic-messages' = 'openai-chat',
  config: GatewayConfigInput = {},
): Promise<{ gateway: TestGateway; fake: FakeProvider }> {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    // What is said is compared whole here; `cached-conversation.test.ts` is about the marks.
    providers: { fake: { ...provider(type, fake.url), promptCaching: false } },
    routes: { default: ['fake/m'] },
    ...config,
  });
  return { gateway, fake };
}

describe('a chat over the Augment dialect', () => {
  test('COMPAT-01 COMPAT-02 COMPAT-11 COMPAT-93 BYOK-01 BYOK-03 BYOK-52 it is answered by the provider, at the root and under /gateway alike', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });

    const [root, prefixed] = [
      await gateway.call('/chat-stream', post({ message: 'hi' })),
      await gateway.call('/gateway/chat-stream', post({ message: 'hi' })),
    ];

    expect(root.status).toBe(200);
    expect(
      Object.fromEntries(
        ['content-type', 'cache-control', 'connection', 'x-content-type-options'].map((name) => [
          name,
          root.headers.get(name),
        ]),
      ),
    ).toEqual({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-content-type-options': 'nosniff',
    });
    expect(lines(root.text)).toEqual([
      { text: 'Grüße, ' },
      { text: '世界 🌍.' },
      {
        text: '',
        nodes: [
          { id: 1, type: 0, content: 'Grüße, 世界 🌍.' },
          {
            id: 2,
            type: 10,
            content: '',
            token_usage: {
              input_tokens: 30,
              output_tokens: 12,
              cache_read_input_tokens: 8,
              cache_creation_input_tokens: 0,
            },
          },
        ],
      },
      { text: '', stop_reason: 1 },
    ]);
    expect(prefixed.text).toBe(root.text);
    expect(fake.requests.map((request) => request.path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
  });

  test('BYOK-19 BYOK-20 BYOK-21 BYOK-22 BYOK-23 BYOK-24 what is configured goes upstream, and the key is found nowhere else', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    const gateway = await openTestGateway({
      providers: { fake: { type: 'openai-chat', baseUrl: `${fake.url}/v1/`, apiKey: 'sk-provider-key' } },
      routes: { default: { targets: ['fake/the-model'], temperature: 0.3, maxTokens: 77 } },
      augment: { systemPromptBase: 'You are the base.' },
    });

    const { text } = await gateway.call('/chat-stream', post({ model: '', message: 'hi' }));

    const [sent] = fake.requests;
    expect(sent).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer sk-provider-key' } });
    expect(sent!.body).toMatchObject({
      model: 'the-model',
      temperature: 0.3,
      max_tokens: 77,
      stream: true,
      messages: [
        { role: 'system', content: 'You are the base.' },
        { role: 'user', content: 'hi' },
      ],
    });
    expect(text + JSON.stringify(gateway.logged)).not.toContain('sk-provider-key');
  });

  test('COMPAT-92 BYOK-53 headers come when the provider has accepted, text as it arrives, while the stream is still open', async () => {
    const { gateway, fake } = await openWith();
    const firstText = Promise.withResolvers<void>();
    const rest = Promise.withResolvers<void>();
    const [role, hello, ...others] = recordedAnswer('openai-chat', 'text');
    fake.answer({ body: [firstText.promise, role!, hello!, rest.promise, ...others] });

    const response = await fetch(`${gateway.url}/chat-stream`, {
      ...post({ message: 'hi' }),
      headers: { ...JSON_TYPE, authorization: `Bearer ${gateway.tokenOf.member}` },
    });
    expect(response.status).toBe(200);
    firstText.resolve();
    const reader = response.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('{"text":"Grüße, "}\n');
    rest.resolve();
    await reader.cancel();
  });

  test.each(['openai-chat', 'anthropic-messages'] as const)(
    'COMPAT-70 COMPAT-71 COMPAT-73 COMPAT-83 COMPAT-84 COMPAT-86 a tool loop runs over three turns with %s, thinking and the beginning of the prompt intact',
    async (type) => {
      const { gateway, fake } = await openWith(type);
      const tools = [
        {
          name: 'read_file',
          description: 'reads',
          input_schema_json: '{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}',
        },
      ];
      const history: unknown[] = [];
      let nodes: unknown[] = [{ id: 1, type: 0, text_node: { content: 'look at it' } }];
      for (const scenario of ['tool', 'parallel-tools', 'reasoning'] as const) {
        fake.answer({ body: recordedAnswer(type, scenario) });
        const { status, text } = await gateway.call(
          '/chat-stream',
          post({ nodes, chat_history: history, tool_definitions: tools }),
        );
        expect(status).toBe(200);
        const sent = lines(text).flatMap(
          (line) =>
            (line['nodes'] as { type: number; tool_use?: { tool_use_id: string; input_json: string } }[] | undefined) ??
            [],
        );
        const calls = sent.filter((node) => node.type === 5);
        expect(lines(text).at(-1)).toMatchObject({ stop_reason: scenario === 'reasoning' ? 1 : 3 });
        for (const call of calls) expect(() => JSON.parse(call.tool_use!.input_json) as unknown).not.toThrow();
        history.push({ request_nodes: nodes, response_nodes: sent.filter((node) => [0, 5, 8].includes(node.type)) });
        nodes = calls.map((call) => ({
          id: 1,
          type: 1,
          tool_result_node: { tool_use_id: call.tool_use!.tool_use_id, content: 'found it', is_error: false },
        }));
      }

      const bodies = fake.requests.map((request) => request.body as { messages: Record<string, unknown>[] });
      for (const [turn, { messages }] of bodies.slice(0, -1).entries()) {
        expect(JSON.stringify(bodies[turn + 1]!.messages.slice(0, messages.length))).toBe(JSON.stringify(messages));
      }
      const last = JSON.stringify(bodies.at(-1)!.messages);
      for (const id of history.flatMap((exchange) => JSON.stringify(exchange).match(/"tool_use_id":"[^"]+"/g) ?? []))
        expect(last).toContain(id.split('"')[3]);
    },
  );

  test.each([
    {
      type: 'openai-chat',
      sent: (body: Record<string, unknown>) => (body['messages'] as unknown[]).slice(1),
      question: { role: 'user', content: 'look at it' },
      round: [
        {
          role: 'assistant',
          content: 'Reading.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{"path":"src/main.ts"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'found it' },
      ],
    },
    {
      type: 'openai-responses',
      sent: (body: Record<string, unknown>) => body['input'] as unknown[],
      question: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'look at it' }] },
      round: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading the file.' }] },
        { type: 'function_call', call_id: 'call_Read', name: 'read-file', arguments: '{"path":"src/größe.ts"}' },
        { type: 'function_call_output', call_id: 'call_Read', output: 'found it' },
      ],
    },
    {
      type: 'anthropic-messages',
      sent: (body: Record<string, unknown>) => body['messages'] as unknown[],
      question: { role: 'user', content: [{ type: 'text', text: 'look at it' }] },
      round: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Reading the file.' },
            { type: 'tool_use', id: 'toolu_01Read', name: 'read-file', input: { path: 'src/größe.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_01Read', content: [{ type: 'text', text: 'found it' }] },
          ],
        },
      ],
    },
  ] as const)(
    'COMPAT-47 COMPAT-82 COMPAT-86 in typed frames a tool loop closes with $type: what was sent comes back and goes up as text, call and result',
    async ({ type, sent, question, round }) => {
      const { gateway, fake } = await openWith(type);
      const asked = { nodes: [{ type: 0, text: 'look at it' }] };
      fake.answer({ body: recordedAnswer(type, 'tool') });
      const first = lines((await gateway.call('/chat-stream?frames=typed', post(asked))).text);
      const calls = first.flatMap(({ type: kind, data }) =>
        kind === 5 ? [(data as { tool_use: { id: string } }).tool_use] : [],
      );
      expect(calls).toHaveLength(1);
      expect(first.at(-1)).toMatchObject({ type: 2, stop_reason: 'tool_use' });

      fake.answer({ body: recordedAnswer(type, 'text') });
      const second = await gateway.call(
        '/chat-stream?frames=typed',
        post({
          chat_history: [{ request_nodes: asked.nodes, response_nodes: first }],
          nodes: [{ type: 1, tool_result: { tool_use_id: calls[0]!.id, content: 'found it' } }],
        }),
      );

      expect(sent(fake.requests[1]!.body)).toEqual([question, ...round]);
      expect(lines(second.text).at(-1)).toMatchObject({ type: 2, stop_reason: 'end_turn' });
    },
  );

  test.each([
    ['openai-chat', '{"role":"user","content":"Result of the tool call gone:\\nfound it"}'],
    ['openai-responses', '"content":[{"type":"input_text","text":"Result of the tool call gone:\\nfound it"}]'],
    ['anthropic-messages', '"content":[{"type":"text","text":"Result of the tool call gone:\\nfound it"}]'],
  ] as const)('COMPAT-86 a result whose call is not in the history goes to %s as text', async (type, form) => {
    const { gateway, fake } = await openWith(type);
    fake.answer({ body: recordedAnswer(type, 'text') });

    await gateway.call(
      '/chat-stream',
      post({ nodes: [{ type: 1, tool_result_node: { tool_use_id: 'gone', content: 'found it' } }] }),
    );

    expect(fake.requests[0]!.text).toContain(form);
    expect(fake.requests[0]!.text).not.toMatch(/tool_call_id|tool_use_id|call_id/);
  });

  test('BYOK-04 /chat asks upstream for no stream and answers with one JSON object', async () => {
    const { gateway, fake } = await openWith();
    const message = { role: 'assistant', content: 'Hello.' };
    fake.answer({
      headers: JSON_TYPE,
      body: JSON.stringify({ id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    });

    const { status, headers, text } = await gateway.call('/chat', post({ message: 'hi' }));

    expect(fake.requests[0]!.body).toMatchObject({ stream: false });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({
      text: 'Hello.',
      nodes: [{ id: 1, type: 0, content: 'Hello.' }],
      stop_reason: 1,
      unknown_blob_names: [],
      checkpoint_not_found: false,
      workspace_file_chunks: [],
    });
  });

  test('COMPAT-72 tool calls of an OpenAI answer become type-5 nodes, streamed and not streamed', async () => {
    const { gateway, fake } = await openWith();
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'read_file', arguments: '{"path":"src/main.ts"}' },
    };
    const message = { role: 'assistant', content: 'Reading.', tool_calls: [call] };
    const use = { tool_use_id: 'call_1', tool_name: 'read_file', input_json: '{"path":"src/main.ts"}' };
    const node = { id: expect.any(Number) as number, type: 5, content: '', tool_use: use };
    const calls = (nodes: unknown) => (nodes as { type: number }[]).filter(({ type }) => type === 5);

    fake.answer({ body: recordedAnswer('openai-chat', 'tool') });
    const streamed = lines((await gateway.call('/chat-stream', post({ message: 'look' }))).text);
    fake.answer({
      headers: JSON_TYPE,
      body: JSON.stringify({ id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    });
    const whole = (await gateway.call('/chat', post({ message: 'look' }))).body as Record<string, unknown>;

    expect(calls(streamed.flatMap(({ nodes }) => nodes ?? []))).toEqual([node]);
    expect(streamed.at(-1)).toMatchObject({ stop_reason: 3 });
    expect(calls(whole['nodes'])).toEqual([node]);
    expect(whole).toMatchObject({ text: 'Reading.', stop_reason: 3 });
  });

  test('thinking comes back to Anthropic signed as it was given', async () => {
    const { gateway, fake } = await openWith('anthropic-messages');
    fake.answer({ body: recordedAnswer('anthropic-messages', 'reasoning') });
    const first = await gateway.call('/chat-stream', post({ message: 'think' }));
    const sent = lines(first.text).flatMap((line) => (line['nodes'] as { type: number }[] | undefined) ?? []);
    const pieces = recordedAnswer('anthropic-messages', 'reasoning')
      .join('')
      .matchAll(/"signature_delta","signature":"([^"]+)"/g);
    const signature = [...pieces].map((piece) => piece[1]).join('');

    await gateway.call(
      '/chat-stream',
      post({ message: 'go on', chat_history: [{ request_message: 'think', response_nodes: sent }] }),
    );

    expect(fake.requests[1]!.text).toContain(`"signature":"${signature}"`);
  });

  test('COMPAT-87 COMPAT-88 COMPAT-91 an image reaches each kind of provider in its own form, and one that takes none says so', async () => {
    const nodes = [
      { type: 0, text_node: { content: 'see' } },
      { type: 2, image_node: { image_data: 'AAAA', format: 2 } },
    ];
    for (const [type, form] of [
      ['openai-chat', '{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,AAAA"}}'],
      ['anthropic-messages', '"source":{"type":"base64","media_type":"image/jpeg","data":"AAAA"}'],
    ] as const) {
      const { gateway, fake } = await openWith(type);
      fake.answer({ body: recordedAnswer(type, 'text') });
      await gateway.call('/chat-stream', post({ nodes }));
      expect(fake.requests[0]!.text).toContain(form);
    }
    const blind = await openTestGateway();
    const { status, body } = await blind.call('/chat-stream', post({ nodes }));
    expect(status).toBe(400);
    expect(body.error?.message).toBe('The model offline/offline does not accept images or files.');
  });

  test('COMPAT-36 a body that is not JSON is refused before any line', async () => {
    const { gateway, fake } = await openWith();

    const { status, body } = await gateway.call('/chat-stream', post('{"message": '));

    expect(status).toBe(400);
    expect(body.error?.message).toContain('The body is not valid JSON');
    expect(fake.requests).toEqual([]);
  });

  test('broken tool arguments are mended before the client sees them, counted and logged', async () => {
    const { gateway, fake } = await openWith();
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'read', arguments: '{"path": "a.ts", ' } };
    fake.answer({
      body: [
        `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`,
        'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n',
        'data: [DONE]\n\n',
      ],
    });
    const tools = [
      {
        name: 'read',
        description: 'r',
        input_schema: {
          type: 'object',
          properties: { path: { type: 'string' }, limit: { type: 'integer' } },
          required: ['path', 'limit'],
        },
      },
    ];

    const { text } = await gateway.call('/chat-stream', post({ message: 'x', tool_definitions: tools }));

    expect(lines(text).at(-1)).toMatchObject({
      nodes: [{ tool_use: { input_json: '{"path":"a.ts","limit":0}' } }],
      stop_reason: 3,
    });
    expect(gateway.logged).toContainEqual(
      expect.objectContaining({ msg: 'tool arguments were repaired', tool: 'read' }),
    );
    expect((await gateway.call('/api/usage?by=model')).body).toMatchObject({
      rows: [{ key: 'fake/m', calls: 1, repairs: 1 }],
    });
  });
});

describe('the small tasks of the editor', () => {
  const chatAnswer = (content: string) => ({
    body: JSON.stringify({
      id: 'x',
      model: 'm',
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
  });
  const chatStream = (content: string) => ({
    body: [
      `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: 'stop' }] })}\n\n`,
      'data: [DONE]\n\n',
    ],
  });

  test('BYOK-05 a completion is made from the text around the cursor', async () => {
    const { gateway, fake } = await openWith();
    fake.answer(chatAnswer('```ts\nreturn a + b;\n```'));

    const { body } = await gateway.call(
      '/completion',
      post({ prompt: 'function add(a, b) { ', suffix: ' }', path: 'a.ts', lang: 'typescript' }),
    );

    expect(body).toEqual({
      completion_items: [{ text: 'return a + b;', suffix_replacement_text: '', skipped_suffix: '' }],
      unknown_blob_names: [],
      checkpoint_not_found: false,
    });
    expect(fake.requests[0]!.text).toContain('function add(a, b) { ');
    expect(fake.requests[0]!.body).toMatchObject({ stream: false });
  });

  test('BYOK-06 an edit answers the new text of the selection', async () => {
    const { gateway, fake } = await openWith();
    fake.answer(chatAnswer('const x = 2;'));

    const { body } = await gateway.call(
      '/edit',
      post({ instruction: 'make it 2', prefix: 'a\n', selected_text: 'const x = 1;', suffix: '\nb' }),
    );

    expect(body).toEqual({ text: 'const x = 2;', unknown_blob_names: [], checkpoint_not_found: false });
  });

  test('BYOK-07 a better prompt is streamed as chat lines', async () => {
    const { gateway, fake } = await openWith();
    fake.answer(chatStream('Please fix the bug.'));

    const { text } = await gateway.call(
      '/prompt-enhancer',
      post({ nodes: [{ type: 0, text_node: { content: 'fix bug' } }] }),
    );

    expect(lines(text)[0]).toEqual({ text: 'Please fix the bug.' });
    expect(fake.requests[0]!.body).not.toHaveProperty('tools');
  });

  test('instructions, pastes, next edits, commit messages and titles each have their form', async () => {
    const { gateway, fake } = await openWith();
    const ask = async (path: string, said: string, body: unknown) => {
      fake.answer(chatStream(said));
      return lines((await gateway.call(path, post(body))).text);
    };

    expect(
      await ask('/instruction-stream', 'two', { instruction: 'x', prefix: 'a\nb\n', selected_text: 'one', suffix: '' }),
    ).toEqual([
      {
        text: 'two',
        replacement_text: 'two',
        replacement_old_text: 'one',
        replacement_start_line: 3,
        replacement_end_line: 3,
      },
    ]);
    expect(
      await ask('/smart-paste-stream', 'new\nfile', {
        code_block: 'x',
        target_file_path: 'a.ts',
        target_file_content: 'old',
      }),
    ).toMatchObject([{ replacement_text: 'new\nfile', replacement_start_line: 1, replacement_end_line: 1 }]);
    expect(
      await ask('/next-edit-stream', 'two', {
        path: 'a.ts',
        selected_text: 'one',
        selection_begin_char: 5,
        selection_end_char: 8,
      }),
    ).toMatchObject([
      {
        next_edit: { path: 'a.ts', char_start: 5, char_end: 8, existing_code: 'one', suggested_code: 'two' },
        unknown_blob_names: [],
      },
    ]);
    expect((await ask('/generate-commit-message-stream', 'Fix it', { diff: '+x' }))[0]).toEqual({ text: 'Fix it' });
    expect(
      await ask('/generate-conversation-title', '"Fixing a bug."\n', {
        chat_history: [{ request_message: 'fix', response_text: 'done' }],
      }),
    ).toMatchObject([{ text: 'Fixing a bug', title: 'Fixing a bug', stop_reason: 1 }]);
  });
});

describe('get-models', () => {
  const models = async (gateway: TestGateway) =>
    (await gateway.call('/get-models', post({}))).body as {
      default_model: string;
      models: Record<string, unknown>[];
      feature_flags: Record<string, unknown>;
    };

  test('BYOK-10 BYOK-18 it always has a default, models with both numbers, and a registry whose names differ from the ids', async () => {
    const { default_model: defaultModel, models: list, feature_flags: flags } = await models(await openTestGateway());

    expect(defaultModel).toBe('offline/offline');
    expect(list).toEqual([
      { name: 'offline/offline', suggested_prefix_char_count: 8000, suggested_suffix_char_count: 4000 },
    ]);
    expect(JSON.parse(flags['model_info_registry'] as string)).toEqual({
      'offline/offline': {
        displayName: 'offline/offline (Dragoman)',
        shortName: 'offline/offline',
        description: expect.any(String),
        disabled: false,
      },
    });
  });

  test('BYOK-09 BYOK-16 BYOK-17 BYOK-25 in hybrid mode the official list is merged, our flags win in both spellings, theirs are kept', async () => {
    const official = await startFakeProvider();
    official.answer({
      body: JSON.stringify({
        default_model: 'theirs',
        models: [
          { name: 'theirs', suggested_prefix_char_count: 1, suggested_suffix_char_count: 2 },
          { name: 'default' },
        ],
        feature_flags: { enable_agent_mode: false, theirs_only: 7 },
        user_tier: 'x',
      }),
    });
    const gateway = await openTestGateway({
      routes: { default: ['offline/offline'] },
      augment: { baseUrl: `${official.url}/`, token: 'augment-token' },
    });

    const answer = await models(gateway);

    expect(answer.default_model).toBe('default');
    expect(answer.models.map((model) => model['name'])).toEqual(['default', 'offline/offline', 'theirs']);
    for (const flag of [
      'enable_agent_mode',
      'enable_chat_with_tools',
      'enable_memory_retrieval',
      'enable_chat_multimodal',
      'enableAgentMode',
      'enableChatWithTools',
      'enableMemoryRetrieval',
      'enableChatMultimodal',
    ])
      expect([flag, answer.feature_flags[flag]]).toEqual([flag, true]);
    expect(answer.feature_flags['theirs_only']).toBe(7);
    expect(official.requests[0]).toMatchObject({
      path: '/get-models',
      headers: { authorization: 'Bearer augment-token' },
    });
  });

  test.each([{ status: 500, body: 'oops' }, { body: 'not json' }, { body: '[]' }, { body: '{"models":"many"}' }])(
    'BYOK-11 when the official service answers %j the local list is still valid',
    async (answer) => {
      const official = await startFakeProvider();
      official.answer(answer);

      const { models: list } = await models(await openTestGateway({ augment: { baseUrl: official.url, token: 't' } }));

      expect(list.map((model) => model['name'])).toEqual(['offline/offline']);
    },
  );
});

describe('what asks no model', () => {
  const BLOCKED = [
    '/agents/list-remote-tools',
    '/notifications/read',
    '/remote-agents/list-stream',
    '/record-session-events',
    '/client-metrics',
    '/report-error',
    '/report-feature-vector',
  ];

  test('COMPAT-13 COMPAT-14 COMPAT-15 COMPAT-16 COMPAT-17 COMPAT-18 COMPAT-19 COMPAT-20 COMPAT-21 telemetry is answered here, counted, and in hybrid mode too never passed on', async () => {
    const official = await startFakeProvider();
    const gateway = await openTestGateway({ augment: { baseUrl: official.url, token: 't' } });
    const expected: Record<string, unknown> = {
      '/agents/list-remote-tools': { tools: [] },
      '/notifications/read': { notifications: [] },
    };

    for (const prefix of ['', '/gateway']) {
      for (const path of BLOCKED) {
        const { status, body } = await gateway.call(prefix + path, post({ sanitized_message: 'x' }));
        expect({ path, status, body }).toEqual({ path, status: 200, body: expected[path] ?? {} });
      }
    }
    expect((await gateway.call('/gateway/blocked', post({}))).body).toEqual({});
    expect(official.requests).toEqual([]);
    expect((await gateway.call('/metrics')).text).toContain('dragoman_gateway_blocked_total{path="/client-metrics"} 2');
  });

  test('COMPAT-12 a path that is not known is refused by name, and nothing goes upstream', async () => {
    const { gateway, fake } = await openWith();

    const { status, body } = await gateway.call('/agents/unheard-of', post({}));

    expect(status).toBe(404);
    expect(body.error?.message).toBe('There is nothing at POST /agents/unheard-of.');
    expect((await gateway.call('/checkpoint-blobs', post({}))).status).not.toBe(404);
    expect(fake.requests).toEqual([]);
  });

  test('BYOK-13 BYOK-14 BYOK-15 BYOK-26 BYOK-28 in hybrid mode context endpoints pass to the official service with its token, and its answer comes back unchanged', async () => {
    const [official, model] = [await startFakeProvider(), await startFakeProvider()];
    official.answer({ status: 207, body: '{"odd": [1,  2]}' });
    model.answer({ body: recordedAnswer('openai-chat', 'text') });
    const gateway = await openTestGateway({
      augment: { baseUrl: official.url, token: 'augment-token' },
      providers: { fake: provider('openai-chat', model.url) },
      routes: { default: ['fake/m'] },
    });

    for (const path of ['/find-missing', '/batch-upload', '/checkpoint-blobs', '/agents/codebase-retrieval']) {
      const { status, text } = await gateway.call(path, post({ blobs: [] }));
      expect({ status, text }).toEqual({ status: 207, text: '{"odd": [1,  2]}' });
    }
    await gateway.call('/chat-stream', post({ message: 'hi' }));

    expect(official.requests.map(({ path, headers }) => `${path} ${headers.authorization}`)).toEqual(
      ['/find-missing', '/batch-upload', '/checkpoint-blobs', '/agents/codebase-retrieval'].map(
        (path) => `${path} Bearer augment-token`,
      ),
    );
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer provider-key']);
    expect(JSON.stringify(gateway.logged)).not.toContain('augment-token');
  });

  test('BYOK-12 BYOK-13 BYOK-14 BYOK-15 BYOK-27 without a token of the official service the context engine answers, at both addresses, and nothing leaves', async () => {
    const official = await startFakeProvider();
    const asked: unknown[] = [];
    const paths = [
      '/find-missing',
      '/batch-upload',
      '/checkpoint-blobs',
      '/agents/codebase-retrieval',
      '/indexed-commits/get-latest-blobset',
      '/indexed-commits/register-blobset',
    ];
    const context = Object.fromEntries(
      paths.map((path) => [
        path,
        async ({ body }: { body: unknown }) => {
          asked.push(body);
          return { answeredBy: path };
        },
      ]),
    );
    const gateway = await openTestGateway({ augment: { baseUrl: official.url } }, { context });

    for (const path of paths)
      for (const prefix of ['', '/gateway']) {
        const { status, body } = await gateway.call(prefix + path, post({ path }));
        expect({ status, body }).toEqual({ status: 200, body: { answeredBy: path } });
      }
    expect(asked).toEqual(paths.flatMap((path) => [{ path }, { path }]));
    expect(official.requests).toEqual([]);
  });

  test('a viewer may ask the context engine, and only a member may give it something', async () => {
    const answer = async () => ({});
    const [asking, giving] = [
      ['/find-missing', '/agents/codebase-retrieval', '/indexed-commits/get-latest-blobset'],
      ['/batch-upload', '/checkpoint-blobs', '/indexed-commits/register-blobset'],
    ];
    const context = Object.fromEntries([...asking, ...giving].map((path) => [path, answer]));
    const gateway = await openTestGateway({}, { context });
    const statusOf = async (path: string, role: 'viewer' | 'member') =>
      (await gateway.call(path, post({}, { authorization: `Bearer ${gateway.tokenOf[role]}` }))).status;

    for (const path of asking) expect([path, await statusOf(path, 'viewer')]).toEqual([path, 200]);
    for (const path of giving)
      expect([path, await statusOf(path, 'viewer'), await statusOf(path, 'member')]).toEqual([path, 403, 200]);
  });

  test('blobs of commits are a quiet matter where no context engine runs, and in hybrid mode', async () => {
    const official = await startFakeProvider();
    const gateways = [
      await openTestGateway(),
      await openTestGateway({ augment: { baseUrl: official.url, token: 't' } }),
    ];

    for (const gateway of gateways)
      for (const path of ['/indexed-commits/get-latest-blobset', '/indexed-commits/register-blobset']) {
        const { status, body } = await gateway.call(path, post({ commit_shas: ['a'] }));
        expect({ status, body }).toEqual({ status: 200, body: {} });
      }
    expect(official.requests).toEqual([]);
    expect((await gateways[0]!.call('/find-missing', post({}))).body.error).toMatchObject({
      code: 'unavailable',
      message: 'The context engine is not running here.',
    });
  });

  test('the models that can be asked for are listed for OpenAI and Anthropic clients', async () => {
    const { gateway } = await openWith('openai-chat', { routes: { default: ['fake/m'], fast: ['fake/small'] } });

    expect((await gateway.call('/v1/models')).body).toMatchObject({
      object: 'list',
      data: [{ id: 'default' }, { id: 'fast' }, { id: 'offline/offline' }],
    });
  });

  test('the list of models tells what each takes', async () => {
    const gateway = await openTestGateway({
      providers: {
        fake: {
          type: 'openai-chat',
          images: false,
          models: ['m'],
          limits: { m: { context: 5000, output: 700 } },
        },
      },
      routes: { default: ['offline/offline'], sharp: ['fake/m'] },
    });

    expect((await gateway.call('/v1/models')).body).toMatchObject({
      data: [
        { id: 'default', context_length: 128_000, max_output_tokens: 8192, input_modalities: ['text'] },
        { id: 'sharp', context_length: 5000, max_output_tokens: 700, input_modalities: ['text'] },
        { id: 'offline/offline' },
        { id: 'fake/m', context_length: 5000 },
      ],
    });
  });

  test('embeddings are noted with the tokens they used, whichever end of the answer tells them', async () => {
    const fake = await startFakeProvider();
    const vectors = `"data":[{"embedding":[${'0.5,'.repeat(5000)}1]}]`;
    fake.answer(
      { body: `{${vectors},"usage":{"prompt_tokens":7,"total_tokens":7}}` },
      { body: `{"usage": {"total_tokens" : 9}, ${vectors}}` },
      { body: `{${vectors}}` },
    );
    const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });
    const noted: Record<string, unknown>[] = [];
    gateway.book.calls.listen((json) => noted.push(JSON.parse(json) as Record<string, unknown>));

    for (let call = 0; call < 3; call++)
      await gateway.call('/v1/embeddings', post({ model: 'fake/embed-1', input: 'x' }));

    expect(noted.map(({ dialect, inputTokens, outputTokens }) => [dialect, inputTokens, outputTokens])).toEqual([
      ['embeddings', 7, 0],
      ['embeddings', 9, 0],
      ['embeddings', undefined, undefined],
    ]);
  });

  test('COMPAT-06 embeddings are passed to the provider the route leads to, and without one the answer says so', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: '{"object":"list","data":[{"embedding":[1,2]}]}' });
    const gateway = await openTestGateway({
      providers: { fake: provider('openai-chat', fake.url) },
      routes: { embedding: ['fake/embed-1'] },
    });

    for (const path of ['/embeddings', '/v1/embeddings'])
      expect((await gateway.call(path, post({ input: 'x' }))).body).toEqual({
        object: 'list',
        data: [{ embedding: [1, 2] }],
      });
    expect(fake.requests[0]).toMatchObject({ path: '/v1/embeddings', body: { input: 'x', model: 'embed-1' } });
    const none = await (await openTestGateway()).call('/embeddings', post({ input: 'x' }));
    expect(none.status).toBe(404);
    expect(none.body.error?.message).toMatch(/^No embedding model is configured/);
  });

  test('embeddings of a model that its provider does not list are refused, and the rules of a route hold', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: '{}', headers: { 'content-type': 'text/html' } });
    const key = `sk-${'a1B2c3D4'.repeat(5)}`;
    const gateway = await openTestGateway({
      providers: { fake: { ...provider('openai-chat', fake.url), models: ['embed-1'] } },
      routes: { plain: { targets: ['fake/embed-1'], redaction: false } },
    });
    const ask = (model: string) => gateway.call('/v1/embeddings', post({ model, input: key }));

    for (const model of ['fake/embed-2', 'constructor']) expect((await ask(model)).status).toBe(404);
    expect(fake.requests).toEqual([]);
    expect((await ask('fake/embed-1')).headers.get('content-type')).toMatch(/^application\/json/);
    expect(fake.requests[0]!.text).not.toContain(key);
    await ask('plain');
    expect(fake.requests[1]!.text).toContain(key);
  });
});

describe('OpenAI and Anthropic clients', () => {
  test('COMPAT-03 COMPAT-04 a Chat Completions request is answered streamed and not, at both addresses', async () => {
    const { gateway, fake } = await openWith('anthropic-messages');
    const body = { model: 'default', messages: [{ role: 'user', content: 'hi' }] };
    for (const prefix of ['', '/gateway']) {
      fake.answer({ body: recordedAnswer('anthropic-messages', 'text') });
      expect((await gateway.call(`${prefix}/v1/chat/completions`, post({ ...body, stream: true }))).text).toMatch(
        /^data: \{.*"content":"Grüße, ".*\n\ndata: \[DONE\]\n\n$/s,
      );
      fake.answer({
        body: JSON.stringify({
          id: 'msg',
          model: 'c',
          content: [{ type: 'text', text: 'Hello' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 1, output_tokens: 2 },
        }),
      });
      expect((await gateway.call(`${prefix}/v1/chat/completions`, post(body))).body).toMatchObject({
        object: 'chat.completion',
        choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
      });
    }
  });

  test('in the same dialect the answer is relayed byte for byte, unknown fields and cache marks go up, and usage is read from the side', async () => {
    const { gateway, fake } = await openWith('anthropic-messages');
    const answer = recordedAnswer('anthropic-messages', 'text');
    fake.answer({ body: answer });
    const body = {
      model: 'default',
      max_tokens: 9,
      stream: true,
      odd: { a: 1 },
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'hi' }],
    };

    const { text } = await gateway.call(
      '/v1/messages',
      post(body, { 'anthropic-beta': 'x-1', 'anthropic-version': '2023-06-01' }),
    );

    expect(text).toBe(answer.join(''));
    expect(fake.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'provider-key', 'anthropic-beta': 'x-1' },
    });
    expect(fake.requests[0]!.body).toEqual({ ...body, model: 'm' });
    expect((await gateway.call('/api/usage?by=model')).body).toMatchObject({
      rows: [{ key: 'fake/m', calls: 1, inputTokens: 2012, cacheReadTokens: 1800 }],
    });
  });

  test('the usage of a relayed stream is asked for and kept, and hidden from a client that did not ask', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    const body = { model: 'fake/m', stream: true, messages: [{ role: 'user', content: 'x' }] };

    const hidden = await gateway.call('/v1/chat/completions', post(body));
    const shown = await gateway.call(
      '/v1/chat/completions',
      post({ ...body, stream_options: { include_usage: true } }),
    );

    const [usage] = recordedAnswer('openai-chat', 'text').filter((event) => event.includes('"usage"'));
    expect(shown.text).toBe(recordedAnswer('openai-chat', 'text').join(''));
    expect(hidden.text).toBe(shown.text.replace(usage!, ''));
    expect((await gateway.call('/api/usage?by=model')).body).toMatchObject({
      rows: [{ calls: 2, inputTokens: 60, outputTokens: 24 }],
    });
  });

  const FIELDS = '{"password":"hunter2","list":[{"apiKey":"k"}],"path":"a"}';
  const CLEAN_FIELDS = '{"password":"[REDACTED]","list":[{"apiKey":"[REDACTED]"}],"path":"a"}';
  test.each([
    {
      kind: 'openai-chat',
      path: '/v1/chat/completions',
      said: (fields: string) => ({
        messages: [
          { role: 'user', content: FIELDS },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: fields } }],
          },
          { role: 'tool', tool_call_id: 't', content: fields },
        ],
      }),
    },
    {
      kind: 'openai-responses',
      path: '/v1/responses',
      said: (fields: string) => ({
        input: [
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: FIELDS }] },
          { type: 'function_call', call_id: 't', name: 'f', arguments: fields },
          { type: 'function_call_output', call_id: 't', output: fields },
        ],
      }),
    },
    {
      kind: 'anthropic-messages',
      path: '/v1/messages',
      said: (fields: string) => ({
        max_tokens: 9,
        messages: [
          { role: 'user', content: FIELDS },
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 't', name: 'f', input: JSON.parse(fields) as unknown }],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: fields }] },
        ],
      }),
    },
  ] as const)(
    "COMPAT-24 COMPAT-25 relayed to $kind, a call loses the secret fields of arguments, results and metadata, each counted once, and a person's text keeps its words",
    async ({ kind, path, said }) => {
      const { gateway, fake } = await openWith(kind);
      fake.answer({ body: recordedAnswer(kind, 'text') });

      await gateway.call(
        path,
        post({ model: 'fake/m', stream: true, metadata: { api_key: 'k', team: 'a' }, ...said(FIELDS) }),
      );

      expect(fake.requests[0]!.body).toEqual({
        model: 'm',
        stream: true,
        ...(kind === 'openai-chat' ? { stream_options: { include_usage: true } } : {}),
        metadata: { api_key: '[REDACTED]', team: 'a' },
        ...said(CLEAN_FIELDS),
      });
      expect((await gateway.call('/metrics')).text).toContain('dragoman_gateway_redactions_total 5');
    },
  );

  test('COMPAT-24 a call counts what was taken out of the request that its last target got', async () => {
    const [relayed, converted] = [await startFakeProvider(), await startFakeProvider()];
    const gateway = await openTestGateway({
      providers: {
        relayed: provider('openai-chat', relayed.url),
        converted: provider('anthropic-messages', converted.url),
      },
      routes: { default: ['relayed/m', 'converted/m'] },
    });
    relayed.answer({ status: 503, body: ['{}'] });
    converted.answer({ body: recordedAnswer('anthropic-messages', 'text') });

    await gateway.call(
      '/v1/chat/completions',
      post({
        stream: true,
        metadata: { secret: 'only in the relayed body' },
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            tool_calls: [{ id: 't', type: 'function', function: { name: 'f', arguments: '{"password":"hunter2"}' } }],
          },
          { role: 'tool', tool_call_id: 't', content: 'done' },
        ],
      }),
    );

    expect(relayed.requests[0]!.text).not.toMatch(/hunter2|only in/);
    expect(converted.requests[0]!.text).not.toMatch(/hunter2|only in/);
    expect((await gateway.call('/metrics')).text).toContain('dragoman_gateway_redactions_total 1');
  });

  test('a relayed request loses its secrets, and nothing else', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    const secret = `sk-${'a1'.repeat(12)}`;

    await gateway.call(
      '/v1/chat/completions',
      post({
        model: 'fake/m',
        stream: true,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: `key ${secret}` },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${secret}` } },
            ],
          },
        ],
        tools: [{ type: 'function', function: { name: 'f', description: secret } }],
      }),
    );

    expect(fake.requests[0]!.body).toEqual({
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'key [API_KEY_REDACTED]' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${secret}` } },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: secret } }],
    });
  });

  test('errors before the first byte have the form and status that each client reads', async () => {
    const { gateway, fake } = await openWith('anthropic-messages', { providers: {}, routes: {} });
    const ask = async (path: string, body: unknown) => {
      const { status, text } = await gateway.call(path, post(body));
      return { status, error: JSON.parse(text) as unknown };
    };
    const messages = [{ role: 'user', content: 'x' }];

    expect(await ask('/v1/chat/completions', { model: 'nobody', messages })).toMatchObject({
      status: 404,
      error: {
        error: { type: 'invalid_request_error', code: 'not-found', message: expect.stringContaining('"nobody"') },
      },
    });
    expect(await ask('/v1/responses', { model: 'nobody', input: 'x' })).toMatchObject({
      status: 404,
      error: { error: { type: 'invalid_request_error' } },
    });
    expect(await ask('/v1/messages', { model: 'nobody', max_tokens: 1, messages })).toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
    expect(await ask('/chat-stream', { model: 'nobody', message: 'x' })).toMatchObject({
      status: 404,
      error: { error: { code: 'not-found' } },
    });
    expect(fake.requests).toEqual([]);
  });

  test('BYOK-95 BYOK-97 BYOK-98 Azure by header, query and path; any other compatible service by address and name alone', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    const gateway = await openTestGateway({
      providers: {
        azure: {
          type: 'openai-chat',
          baseUrl: fake.url,
          headers: { 'api-key': 'azure-key' },
          query: { 'api-version': '2026-01-01' },
          path: '/openai/deployments/{model}/chat/completions',
        },
        vllm: { type: 'openai-chat', baseUrl: `${fake.url}/v1` },
      },
    });

    await gateway.call('/chat-stream', post({ model: 'azure/gpt', message: 'hi' }));
    await gateway.call('/chat-stream', post({ model: 'vllm/qwen/qwen3', message: 'hi' }));

    expect(fake.requests[0]).toMatchObject({
      path: '/openai/deployments/gpt/chat/completions?api-version=2026-01-01',
      headers: { 'api-key': 'azure-key' },
    });
    expect(fake.requests[0]!.headers.authorization).toBe(undefined);
    expect(fake.requests[1]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'qwen/qwen3' } });
  });
});

describe('when a provider fails', () => {
  test('BYOK-73 before the first line its failure is an HTTP status: 429 with Retry-After, 5xx to be tried again, 4xx final', async () => {
    const { gateway, fake } = await openWith();
    const fail = async (status: number, headers: Record<string, string> = {}) => {
      fake.answer({ status, headers, body: '{"error":{"message":"because"}}' });
      const answer = await gateway.call('/chat-stream', post({ message: 'hi' }));
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        message: answer.body.error?.message,
      };
    };

    expect(await fail(400)).toEqual({
      status: 400,
      retryAfter: null,
      message: 'The provider "fake" answered 400: because',
    });
    expect(await fail(503, { 'retry-after': '3' })).toMatchObject({ status: 503, retryAfter: '3' });
    expect(await fail(401)).toMatchObject({ status: 403 });
  });

  test('BYOK-73 a limit is passed on with the time to wait', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ status: 429, headers: { 'retry-after': '7' }, body: '{}' });

    const { status, headers } = await gateway.call('/chat-stream', post({ message: 'hi' }));

    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '7' });
    // An only key is asked again: the refusal may have been about one model.
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    expect((await gateway.call('/chat-stream', post({ message: 'hi' }))).status).toBe(200);
  });

  test('what a provider says of an error loses the key that it repeats', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ status: 401, body: '{"error":{"message":"Incorrect API key provided: provider-key"}}' });

    const { text } = await gateway.call('/chat', post({ message: 'hi' }));

    expect(text).toContain('Incorrect API key provided: [REDACTED]');
    expect(text + JSON.stringify(gateway.logged)).not.toContain('provider-key');
  });

  test('a relayed answer that is not one lets the next target try, and is never passed on', async () => {
    const [odd, whole] = [await startFakeProvider(), await startFakeProvider()];
    const gateway = await openTestGateway({
      providers: { odd: provider('openai-chat', odd.url), whole: provider('openai-chat', whole.url) },
      routes: { default: ['odd/m', 'whole/m'] },
    });
    const messages = [{ role: 'user', content: 'x' }];
    const completion = { choices: [{ message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }] };

    for (const answer of [{ headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' }, { body: [] }]) {
      odd.answer(answer);
      whole.answer({ body: recordedAnswer('openai-chat', 'text') });
      expect(
        (await gateway.call('/v1/chat/completions', post({ model: 'default', stream: true, messages }))).text,
      ).toContain('Grüße');
    }
    for (const answer of [
      { headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' },
      { body: '{"error":{"message":"no"}}' },
      { body: 'not json' },
    ]) {
      odd.answer(answer);
      whole.answer({ body: JSON.stringify(completion) });
      expect((await gateway.call('/v1/chat/completions', post({ model: 'default', messages }))).body).toEqual(
        completion,
      );
    }
  });

  test('a relayed stream that breaks in the middle of an event loses it, and an error event follows', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ body: ['data: {"id":"c1","choices":[]}\n\ndata: {"id":"c1","choi'], isCut: true });

    const { text } = await gateway.call(
      '/v1/chat/completions',
      post({ model: 'fake/m', stream: true, messages: [{ role: 'user', content: 'x' }] }),
    );

    expect(text).toMatch(
      /^data: \{"id":"c1","choices":\[\]\}\n\n\s*data: \{"error":\{"message":"Connection error: the answer of the provider \\"fake\\" was terminated/,
    );
  });

  test('a name that every object has is a name like any other', async () => {
    const { gateway } = await openWith('openai-chat', { providers: {}, routes: {} });

    for (const model of ['constructor', '__proto__', 'toString', 'constructor/x']) {
      expect((await gateway.call('/chat', post({ model, message: 'hi' }))).status).toBe(404);
    }
  });

  test('the next target is asked, as long as nothing was sent', async () => {
    const [broken, whole] = [await startFakeProvider(), await startFakeProvider()];
    whole.answer({ body: recordedAnswer('openai-chat', 'text') });
    const gateway = await openTestGateway({
      providers: {
        broken: provider('openai-chat', broken.url),
        gone: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1/v1' },
        whole: provider('openai-chat', whole.url),
      },
      routes: { default: ['gone/m', 'broken/m', 'whole/m'] },
    });

    for (const answer of [
      { status: 503, body: '{}' },
      { body: [], isCut: true },
      { body: ['data: {"error":{"message":"overloaded"}}\n\n'] },
    ]) {
      broken.answer(answer);
      expect(lines((await gateway.call('/chat-stream', post({ message: 'hi' }))).text)[0]).toEqual({ text: 'Grüße, ' });
    }
    expect((await gateway.call('/api/usage?by=model')).body).toMatchObject({
      rows: [{ key: 'whole/m', calls: 3, errors: 0 }],
    });
  });

  test('after the first event no other target is asked: what was sent stays, and the error follows in the dialect of the client', async () => {
    const [broken, whole] = [await startFakeProvider(), await startFakeProvider()];
    const gateway = await openTestGateway({
      providers: { broken: provider('openai-chat', broken.url), whole: provider('openai-chat', whole.url) },
      routes: { default: ['broken/m', 'whole/m'] },
    });
    const [role, hello] = recordedAnswer('openai-chat', 'text');
    broken.answer({ body: [role!, hello!], isCut: true });

    const augment = lines((await gateway.call('/chat-stream', post({ message: 'hi' }))).text);
    const anthropic = (
      await gateway.call(
        '/v1/messages',
        post({ model: 'default', max_tokens: 5, stream: true, messages: [{ role: 'user', content: 'x' }] }),
      )
    ).text;
    const chat = (
      await gateway.call(
        '/v1/chat/completions',
        post({ model: 'default', stream: true, messages: [{ role: 'user', content: 'x' }] }),
      )
    ).text;

    expect(augment).toEqual([
      { text: 'Grüße, ' },
      {
        text: expect.stringMatching(
          /^\[dragoman\] Connection error: the answer of the provider "broken" was terminated/,
        ),
      },
      { text: '', stop_reason: 1 },
    ]);
    expect(anthropic).toMatch(/Grüße, [\s\S]*event: error\ndata: \{"type":"error"/);
    expect(chat).toMatch(/Grüße, [\s\S]*data: \{"error":/);
    expect(whole.requests).toEqual([]);
  });

  test('keys take turns, and one that has reached its limit rests', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { fake: { ...provider('openai-chat', fake.url), apiKey: ['key-a', 'key-b'] } },
      routes: { default: ['fake/m'] },
    });
    const good = { body: recordedAnswer('openai-chat', 'text') };

    fake.answer({ status: 429, headers: { 'retry-after': '60' }, body: '{}' }, good);
    for (let call = 0; call < 3; call++)
      expect((await gateway.call('/chat-stream', post({ message: 'hi' }))).status).toBe(200);

    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-a',
      'Bearer key-b',
      'Bearer key-b',
      'Bearer key-b',
    ]);
  });

  test('a provider that does not begin is given up in time', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => silent.close().closeAllConnections());
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const gateway = await openTestGateway({
      providers: { fake: { ...provider('openai-chat', url), timeouts: { firstByteMs: 100, idleMs: 60_000 } } },
      routes: { default: ['fake/m'] },
    });

    const { status, body } = await gateway.call('/chat-stream', post({ message: 'hi' }));

    expect([status, body]).toEqual([
      504,
      { error: { code: 'timed-out', message: 'The provider "fake" did not begin to answer in time.' } },
    ]);
  });

  test('a provider that stops in the middle is given up in time', async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: { fake: { ...provider('openai-chat', fake.url), timeouts: { firstByteMs: 60_000, idleMs: 100 } } },
      routes: { default: ['fake/m'] },
    });
    const [role, hello] = recordedAnswer('openai-chat', 'text');
    fake.answer({ body: [role!, hello!, new Promise(() => {})] });

    const { text } = await gateway.call('/chat-stream', post({ message: 'hi' }));

    expect(lines(text).at(-2)).toEqual({
      text: '[dragoman] The provider "fake" stopped in the middle of its answer.\n',
    });
  });
});

describe('when a client leaves', () => {
  async function leave(
    gateway: TestGateway,
    fake: FakeProvider,
    path: string,
    body: unknown,
    isBegun: boolean,
  ): Promise<string> {
    const before = fake.requests.length;
    const client = httpRequest(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${gateway.tokenOf.member}` },
    });
    client.on('error', () => {});
    client.end(JSON.stringify(body));
    const asked = await fake.request(before + 1);
    if (isBegun) {
      const [response] = (await once(client, 'response')) as [NodeJS.ReadableStream];
      await once(response, 'data');
    }
    client.destroy();
    return asked.ended;
  }

  test('BYOK-75 BYOK-76 the upstream call ends: in the middle of a stream, before its first line, and when it is not streamed', async () => {
    const { gateway, fake } = await openWith();
    const never = new Promise(() => {});
    const [role, hello] = recordedAnswer('openai-chat', 'text');

    fake.answer({ body: [role!, hello!, never] });
    expect(await leave(gateway, fake, '/chat-stream', { message: 'hi' }, true)).toBe('left');
    expect(
      await leave(
        gateway,
        fake,
        '/v1/chat/completions',
        { model: 'fake/m', stream: true, messages: [{ role: 'user', content: 'x' }] },
        true,
      ),
    ).toBe('left');
    fake.answer({ body: [never] });
    expect(await leave(gateway, fake, '/chat-stream', { message: 'hi' }, false)).toBe('left');
    expect(await leave(gateway, fake, '/chat', { message: 'hi' }, false)).toBe('left');
    expect(
      await leave(
        gateway,
        fake,
        '/v1/messages',
        { model: 'fake/m', max_tokens: 1, messages: [{ role: 'user', content: 'x' }] },
        false,
      ),
    ).toBe('left');
  });

  test('BYOK-77 after an answer has ended, closing the connection aborts nothing', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });

    const { text } = await gateway.call('/chat-stream', post({ message: 'hi' }));
    gateway.door.server.closeAllConnections();

    expect(lines(text).at(-1)).toEqual({ text: '', stop_reason: 1 });
    expect(await (await fake.request(1)).ended).toBe('complete');
    expect((await gateway.call('/api/usage?by=model')).body).toMatchObject({ rows: [{ errors: 0 }] });
  });
});

describe('connections', () => {
  /** Sends raw bytes and reads until the server ends the connection. */
  async function converse(gateway: TestGateway, requests: string[]): Promise<string> {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(requests.join(''));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    return answer;
  }
  const raw = (gateway: TestGateway, path: string, body: unknown, connection: string) => {
    const text = JSON.stringify(body);
    return `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${gateway.tokenOf.member}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: ${connection}\r\n\r\n${text}`;
  };

  test('a client that asks for the connection to be closed has it closed after its stream', async () => {
    const { gateway, fake } = await openWith();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });

    const answer = await converse(gateway, [raw(gateway, '/chat-stream', { message: 'hi' }, 'close')]);

    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toMatch(/"stop_reason":1\}\n\r\n0\r\n\r\n$/);
  });

  test('a large answer that waits behind a slow one on its connection stands still, and then comes whole', async () => {
    const { gateway, fake } = await openWith();
    const hold = Promise.withResolvers<void>();
    const large = Array.from(
      { length: 400 },
      (_, index) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: `${index} ${'x'.repeat(1000)}` } }] })}\n\n`,
    );
    fake.answer(
      { body: [hold.promise, ...recordedAnswer('openai-chat', 'text')] },
      { body: [...large, 'data: [DONE]\n\n'] },
    );
    const both = converse(gateway, [
      raw(gateway, '/chat-stream', { message: 'one' }, 'keep-alive'),
      raw(gateway, '/chat-stream', { message: 'two' }, 'close'),
    ]);
    await fake.request(2);

    expect((await gateway.call('/health')).status).toBe(200);
    hold.resolve();

    const answer = await both;
    expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(answer.indexOf('Grüße')).toBeLessThan(answer.indexOf('399 xxx'));
  });
});

describe('rules at the door', () => {
  test('COMPAT-30 COMPAT-33 COMPAT-34 COMPAT-35 the 101st call is refused before its body is read, with the time to wait', async () => {
    const gateway = await openTestGateway();
    const answers = [];
    for (let call = 0; call < 100; call++) answers.push(await gateway.call('/chat', post({ message: 'hi' })));

    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect([answers[0], answers[99]].map((answer) => answer!.headers.get('ratelimit-remaining'))).toEqual(['99', '0']);
    const refused = await gateway.call('/chat-stream', post('this is not JSON'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body.error?.message).toBe('This token can make 100 model requests a minute.');
    expect(
      (
        await gateway.call('/chat', {
          ...post({ message: 'hi' }),
          headers: { ...JSON_TYPE, authorization: `Bearer ${gateway.tokenOf.member}` },
        })
      ).status,
    ).toBe(200);
  });

  test('limits that are changed are held at once, in what is refused as in what is told', async () => {
    const gateway = await openTestGateway({ limits: { requests: 1 } });
    const ask = async () => {
      const { status, headers, body } = await gateway.call('/chat-stream', post({ message: 'hi' }));
      return [status, headers.get('ratelimit-limit'), headers.get('ratelimit-remaining'), body.error?.message];
    };
    expect(await ask()).toEqual([200, '1', '0', undefined]);
    expect(await ask()).toEqual([429, '1', '0', 'This token can make 1 model request a minute.']);

    gateway.config.limits = { requests: 2, windowSeconds: 3_600, concurrency: 1 };

    expect(await ask()).toEqual([200, '2', '0', undefined]);
    expect(await ask()).toEqual([429, '2', '0', 'This token can make 2 model requests an hour.']);
  });

  test('calls beyond those that may run at once are refused, and may come again when one has ended', async () => {
    const { gateway, fake } = await openWith('openai-chat', { limits: { concurrency: 1 } });
    const hold = Promise.withResolvers<void>();
    fake.answer({ body: [hold.promise, ...recordedAnswer('openai-chat', 'text')] });
    const running = gateway.call('/chat-stream', post({ message: 'hi' }));
    await fake.request(1);

    expect((await gateway.call('/chat-stream', post({ message: 'hi' }))).body.error?.message).toBe(
      'This token can have 1 model request running at once.',
    );
    hold.resolve();
    await running;
    expect((await gateway.call('/chat-stream', post({ message: 'hi' }))).status).toBe(200);
  });

  test('COMPAT-28 secrets are taken out of message, nodes, results and history before they leave, and counted; a route may ask for none of it', async () => {
    const fake = await startFakeProvider();
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    const gateway = await openTestGateway({
      providers: { fake: provider('openai-chat', fake.url) },
      routes: { default: ['fake/m'], plain: { targets: ['fake/m'], redaction: false } },
    });
    const secret = `sk-${'b2'.repeat(15)}`;
    const body = {
      chat_history: [
        {
          request_message: `m ${secret}`,
          response_nodes: [{ type: 5, tool_use: { tool_use_id: 't', tool_name: 'f', input_json: '{}' } }],
        },
      ],
      nodes: [
        { type: 1, tool_result_node: { tool_use_id: 't', content: `{"password": "hunter2", "log": "${secret}"}` } },
        { type: 0, text_node: { content: `n ${secret}` } },
      ],
    };

    await gateway.call('/chat-stream', post(body));
    await gateway.call('/chat-stream', post({ ...body, model: 'plain' }));

    expect(fake.requests[0]!.text).not.toMatch(/sk-b2|hunter2/);
    expect(fake.requests[1]!.text).toContain(secret);
    expect((await gateway.call('/metrics')).text).toContain('dragoman_gateway_redactions_total 4');
  });

  test('a viewer may look and not ask', async () => {
    const gateway = await openTestGateway();
    const asViewer = { ...JSON_TYPE, authorization: `Bearer ${gateway.tokenOf.viewer}` };

    expect((await gateway.call('/chat', { method: 'POST', headers: asViewer, body: '{"message":"hi"}' })).status).toBe(
      403,
    );
    expect((await gateway.call('/v1/models', { headers: asViewer })).status).toBe(200);
  });

  test("cost is the provider's own figure where it gives one, else computed from the prices", async () => {
    const fake = await startFakeProvider();
    const gateway = await openTestGateway({
      providers: {
        fake: { ...provider('openai-chat', fake.url), prices: { m: { input: 2, output: 10, cacheRead: 0.5 } } },
      },
      routes: { default: ['fake/m'] },
    });
    fake.answer({ body: recordedAnswer('openai-chat', 'text') });
    await gateway.call('/chat-stream', post({ message: 'hi' }));
    expect((await gateway.call('/api/usage?by=day')).body).toMatchObject({
      rows: [{ calls: 1, costDollars: (22 * 2 + 8 * 0.5 + 12 * 10) / 1e6 }],
    });

    fake.answer({
      body: [
        'data: {"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":0.25}}\n\n',
        'data: [DONE]\n\n',
      ],
    });
    await gateway.call('/chat-stream', post({ message: 'hi' }));
    expect((await gateway.call('/api/usage?by=token')).body).toMatchObject({
      rows: [{ key: 'owner/admin token', calls: 2, costDollars: 0.250168 }],
    });
  });
});

describe('in another application', () => {
  async function listenTo(app: ReturnType<typeof Fastify>): Promise<string> {
    onTestFinished(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  }
  const config = testConfig();

  test('COMPAT-94 the gateway is mounted by one call, at the root or under a prefix', async () => {
    const app = Fastify();
    await app.register(gatewayPlugin, { config: () => config });
    await app.register(gatewayPlugin, { prefix: '/ai', config: () => config });
    const url = await listenTo(app);

    for (const prefix of ['', '/ai']) {
      const response = await fetch(`${url}${prefix}/chat-stream`, post({ message: 'hello' }));
      expect(lines(await response.text()).at(-1)).toEqual({ text: '', stop_reason: 1 });
    }
  });

  test('COMPAT-95 the Augment endpoints alone send their calls through the gateway that the application has', async () => {
    const app = Fastify();
    const asked: string[] = [];
    await app.register(augmentPlugin, {
      config: () => config,
      model: {
        async stream(call, sink) {
          asked.push(JSON.stringify(call.prompt.at(-1)));
          sink.push({ type: 'text-start', id: '0' });
          sink.push({ type: 'text-delta', id: '0', delta: 'from elsewhere' });
          sink.push({ type: 'text-end', id: '0' });
          sink.push({ type: 'finish', finishReason: 'stop' });
        },
      },
    });
    const url = await listenTo(app);

    const response = await fetch(`${url}/chat-stream`, post({ message: 'hello' }));

    expect(lines(await response.text())[0]).toEqual({ text: 'from elsewhere' });
    expect(asked).toEqual(['{"role":"user","content":[{"type":"text","text":"hello"}]}']);
  });
});
