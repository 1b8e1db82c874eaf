import { rounds, startFakeProvider } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from '../gateway.fixture.ts';
import type { RelayedDialect } from './relay-call.ts';

/** Those that a provider speaks alone, with the model in the body. */
type OwnDialect = Exclude<RelayedDialect, 'openai-completions' | 'gemini'>;

const PATHS: Record<OwnDialect, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
  ollama: '/api/chat',
};
const KINDS = Object.keys(PATHS) as OwnDialect[];
/** What each provider answers to a call that is not streamed. */
const WHOLE: Record<OwnDialect, object> = {
  'openai-chat': { id: 'c', choices: [{ message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }] },
  'openai-responses': { id: 'r', status: 'completed', output: [] },
  'anthropic-messages': { id: 'm', type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn' },
  ollama: { model: 'm', message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'stop' },
};
/** How a client asks for an answer that is not streamed. */
const AT_ONCE: Record<OwnDialect, object> = {
  'openai-chat': {},
  'openai-responses': {},
  'anthropic-messages': {},
  ollama: { stream: false },
};

async function openRelay(kind: OwnDialect, options: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: { fake: { ...provider(kind, fake.url), ...options } },
    routes: { default: ['fake/m'] },
  });
  const ask = (body: unknown) =>
    gateway.call(PATHS[kind], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { fake, gateway, ask };
}

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const turns = (...messages: unknown[]) => ({ messages });

/** What only the provider itself knows what to do with. */
const ONLY_THERE: Record<OwnDialect, Record<string, object>> = {
  'openai-chat': {
    audio: user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]),
    video: user([{ type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }]),
    'an uploaded file': user([{ type: 'file', file: { file_id: 'file-abc' } }]),
    'a choice of allowed tools': {
      ...user('x'),
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [{ type: 'function' }] } },
    },
    'a choice of a custom tool': { ...user('x'), tool_choice: { type: 'custom', custom: { name: 'patch' } } },
    'a custom call': turns(
      { role: 'user', content: 'x' },
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: 'text' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ),
    'another role': turns({ role: 'critic', content: 'x' }),
    'another effort': { ...user('x'), reasoning_effort: 'ultra' },
    'other types of settings': { ...user('x'), temperature: 'warm', stop: { any: ['a'] }, max_tokens: '10' },
    'no messages': { prompt: 'x' },
  },
  'openai-responses': {
    'an earlier response': { input: 'x', previous_response_id: 'resp_1' },
    'a conversation': { input: 'x', conversation: { id: 'conv_1' } },
    'an item by reference': { input: [{ type: 'item_reference', id: 'msg_1' }] },
    'a kept prompt': { prompt: { id: 'pmpt_1', version: '2', variables: { city: 'Rome' } } },
    'a choice of a custom tool': { input: 'x', tool_choice: { type: 'custom', name: 'patch' } },
    'a choice of a tool of the provider': { input: 'x', tool_choice: { type: 'web_search' } },
    'an uploaded file': { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-abc' }] }] },
    'an uploaded image': { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-abc' }] }] },
    'another effort': { input: 'x', reasoning: { effort: 'ultra' } },
    'another role': { input: [{ role: 'critic', content: 'x' }] },
    'an item of an unknown type': { input: [{ type: 'telepathy', thought: [1, null, { deep: true }] }] },
  },
  'anthropic-messages': {
    'a search of the provider': turns(
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: [{ type: 'web_search_result', url: 'https://example.com', title: 'x', encrypted_content: 'EqgB' }],
          },
          { type: 'text', text: 'y', citations: [{ type: 'web_search_result_location', encrypted_index: 'Eo8' }] },
        ],
      },
      { role: 'user', content: 'more' },
    ),
    'a tool of a server': turns({
      role: 'assistant',
      content: [
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'echo', server_name: 's', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content: [{ type: 'text', text: 'x' }] },
      ],
    }),
    'a compaction': turns({ role: 'assistant', content: [{ type: 'compaction', content: 'so far' }] }),
    'a reference to a tool': user([
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_reference', tool_name: 'f' }] },
    ]),
    'an added tool': user([{ type: 'tool_addition', tools: [{ name: 'f' }] }]),
    'a file for the container': user([{ type: 'container_upload', file_id: 'file_1' }]),
    'an uploaded image': user([{ type: 'image', source: { type: 'file', file_id: 'file_1' } }]),
    'a choice of a tool of the provider': {
      ...user('x'),
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'tool', name: 'web_search' },
    },
    'a thread': { ...user('x'), thread: { type: 'continue', previous_message_id: 'msg_1' } },
    'another role': turns({ role: 'critic', content: 'x' }),
    'another effort': { ...user('x'), output_config: { effort: 'ultra' } },
  },
  ollama: {
    'the likeliest tokens': { ...user('x'), logprobs: true, top_logprobs: 3 },
    'images in base64': turns({ role: 'user', content: 'x', images: ['AKIA3B3A3B3A3B3A3B3A'] }),
    'options of the machine': { ...user('x'), options: { num_ctx: 8192, mirostat: 2 }, keep_alive: '1h' },
    'other types of settings': { ...user('x'), options: 'warm', format: 7, think: 'deeply' },
    'another role': turns({ role: 'critic', content: 'x' }),
  },
};

describe.each(KINDS)('passed on to a provider that speaks it, %s', (kind) => {
  test.each(Object.entries(ONLY_THERE[kind]))('keeps %s, streamed and not', async (_, asked) => {
    const { fake, ask } = await openRelay(kind);
    const [streamed, whole] = [recordedAnswer(kind, 'text'), JSON.stringify(WHOLE[kind])];
    fake.answer({ body: streamed }, { body: whole });

    const stream = { stream: true, stream_options: { include_usage: true } };
    const atOnce = { ...AT_ONCE[kind], ...asked };
    const answers = [await ask({ model: 'm', ...stream, ...asked }), await ask({ model: 'm', ...atOnce })];

    expect(answers.map(({ status, text }) => ({ status, text }))).toEqual([
      { status: 200, text: streamed.join('') },
      { status: 200, text: whole },
    ]);
    expect(fake.requests.map(({ body }) => body)).toEqual([
      { model: 'm', ...stream, ...asked },
      { model: 'm', ...atOnce },
    ]);
  });

  test('keeps whatever a body says', async () => {
    const { fake, ask } = await openRelay(kind);
    fake.answer({ body: JSON.stringify(WHOLE[kind]) });
    const field = fc.oneof(
      fc.constantFrom('messages', 'input', 'system', 'tools', 'tool_choice', 'max_tokens', 'role', 'type', 'content'),
      fc.string({ maxLength: 8 }),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(field, tie('value'), { maxKeys: 4 }),
      ),
    }));

    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value, { maxKeys: 6 }), async (fields) => {
        const { stream: _, model: __, ...asked } = fields;
        const sent = JSON.stringify({ ...asked, ...AT_ONCE[kind], model: 'm' });
        const before = fake.requests.length;
        const { status } = await ask(JSON.parse(sent));
        expect(status).toBe(200);
        expect(fake.requests.slice(before).map(({ body }) => body)).toEqual([JSON.parse(sent)]);
      }),
      { numRuns: rounds(60) },
    );
  });

  test('loses its secrets wherever they stand', async () => {
    const { fake, ask } = await openRelay(kind);
    fake.answer({ body: JSON.stringify(WHOLE[kind]) });
    const secret = `sk-${'a1'.repeat(12)}`;

    await ask({
      model: 'm',
      ...AT_ONCE[kind],
      messages: [{ role: 'critic', content: [{ type: 'telepathy', thought: { of: [`it is ${secret}`] } }] }],
      input: [{ type: 'telepathy', thought: secret }],
      whatever: { nested: [secret] },
    });

    expect(fake.requests[0]!.body).toEqual({
      model: 'm',
      ...AT_ONCE[kind],
      messages: [{ role: 'critic', content: [{ type: 'telepathy', thought: { of: ['it is [API_KEY_REDACTED]'] } }] }],
      input: [{ type: 'telepathy', thought: '[API_KEY_REDACTED]' }],
      whatever: { nested: ['[API_KEY_REDACTED]'] },
    });
  });

  test.each([
    ['a list', [], 'the body: Invalid input: expected object, received array'],
    ['a model that is no name', { model: 7 }, 'model: Invalid input: expected string, received number'],
    ['a stream that is no yes or no', { stream: 'yes' }, 'stream: Invalid input: expected boolean, received string'],
  ])('is refused when it is %s', async (_, body, message) => {
    const { fake, ask } = await openRelay(kind);
    const { status, text } = await ask(body);
    expect(status).toBe(400);
    const { error } = JSON.parse(text) as { error: { message: string } | string };
    expect(typeof error === 'string' ? error : error.message).toBe(message);
    expect(fake.requests).toEqual([]);
  });
});

describe('a model that takes no images', () => {
  test.each([
    ['openai-chat', user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])],
    ['openai-chat', turns({ role: 'critic', content: [{ type: 'input_audio', input_audio: { data: 'AA' } }] })],
    ['openai-responses', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] }],
    [
      'openai-responses',
      { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'file-1' }] }] },
    ],
    ['anthropic-messages', user([{ type: 'image', source: { type: 'file', file_id: 'file_1' } }])],
    [
      'anthropic-messages',
      user([
        { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'url', url: 'u' } }] },
      ]),
    ],
    ['anthropic-messages', user([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf' } }])],
    ['ollama', turns({ role: 'user', content: 'x', images: ['AAAA'] })],
  ] as const)('is not sent one that %s says in its own words: %j', async (kind, asked) => {
    const { fake, ask } = await openRelay(kind, { images: false });
    const { status, text } = await ask({ model: 'fake/m', ...asked });
    expect(status).toBe(400);
    expect(text).toContain('The model fake/m does not accept images or files.');
    expect(fake.requests).toEqual([]);
  });

  test('is sent documents of text and arguments that speak of images', async () => {
    const { fake, ask } = await openRelay('anthropic-messages', { images: false });
    fake.answer({ body: JSON.stringify(WHOLE['anthropic-messages']) });
    const asked = turns(
      { role: 'user', content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'draw', input: { type: 'image' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'done' }] },
    );
    expect((await ask({ model: 'fake/m', ...asked })).status).toBe(200);
    expect(fake.requests[0]!.body).toEqual({ model: 'm', ...asked });
  });
});

describe('a route of a provider that understands the request and one that does not', () => {
  const AUDIO = user([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }]);
  const UNDERSTOOD = { body: JSON.stringify(WHOLE['openai-chat']) };
  const open = async (order: string[]) => {
    const [same, other] = [await startFakeProvider(), await startFakeProvider()];
    const gateway = await openTestGateway({
      providers: { same: provider('openai-chat', same.url), other: provider('anthropic-messages', other.url) },
      routes: { default: order },
    });
    const ask = (body: unknown) =>
      gateway.call('/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'default', ...(body as object) }),
      });
    return { same, other, gateway, ask };
  };

  test('passes over the one that does not, whichever is first', async () => {
    const { same, other, ask } = await open(['other/m', 'same/m']);
    same.answer(UNDERSTOOD);
    expect((await ask(AUDIO)).text).toBe(UNDERSTOOD.body);
    expect(other.requests).toEqual([]);
  });

  test('tells the failure of the one that does, which may pass', async () => {
    const { same, other, ask } = await open(['same/m', 'other/m']);
    same.answer({ status: 503, body: '{"error":{"message":"busy"}}' });
    const { status, text } = await ask(AUDIO);
    expect(status).toBe(503);
    expect(text).toContain('busy');
    expect(other.requests).toEqual([]);
  });

  test('names what cannot be said where neither can be asked, and blames no provider', async () => {
    const { same, other, gateway, ask } = await open(['other/m', 'other/n']);
    const { status, text } = await ask(AUDIO);
    expect(status).toBe(400);
    expect((JSON.parse(text) as { error: object }).error).toMatchObject({
      type: 'invalid_request_error',
      message: 'messages: the content part type "input_audio" is not supported.',
    });
    expect([...same.requests, ...other.requests]).toEqual([]);
    expect(gateway.book.calls.providerState('other')).toEqual({});
  });
});
