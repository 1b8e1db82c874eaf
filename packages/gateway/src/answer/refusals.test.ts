import Anthropic from '@anthropic-ai/sdk';
import { type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, type TestGateway } from '../gateway.fixture.ts';

const KEY = 'UPSTREAM-KEY-zq81Lk29fjQw';
const QUESTION = [{ role: 'user' as const, content: 'Hi' }];
const KINDS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
type OwnDialect = (typeof KINDS)[number];

/** What real clients ask and throw, tried once. */
const CLIENTS: Record<OwnDialect, (gateway: TestGateway, maxRetries?: number) => Promise<unknown>> = {
  'openai-chat': ({ url, tokenOf }, maxRetries = 0) =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries }).chat.completions.create({
      model: 'default',
      messages: QUESTION,
    }),
  'openai-responses': ({ url, tokenOf }, maxRetries = 0) =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries }).responses.create({
      model: 'default',
      input: 'Hi',
    }),
  'anthropic-messages': ({ url, tokenOf }, maxRetries = 0) =>
    new Anthropic({ baseURL: url, apiKey: tokenOf.member, maxRetries }).messages.create({
      model: 'default',
      max_tokens: 10,
      messages: QUESTION,
    }),
};
const PATHS: Record<OwnDialect, [string, object]> = {
  'openai-chat': ['/v1/chat/completions', { messages: QUESTION }],
  'openai-responses': ['/v1/responses', { input: 'Hi' }],
  'anthropic-messages': ['/v1/messages', { max_tokens: 10, messages: QUESTION }],
};

async function openRefusing(kind: OwnDialect | 'gemini' | 'ollama', ...answers: ScriptedAnswer[]) {
  const fake = await startFakeProvider();
  fake.answer(...answers);
  const gateway = await openTestGateway({
    providers: { fake: { ...provider(kind, fake.url), apiKey: KEY } },
    routes: { default: ['fake/m'] },
  });
  return { fake, gateway };
}

async function post(gateway: TestGateway, kind: OwnDialect, fields: object = {}) {
  const [path, body] = PATHS[kind];
  return gateway.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', ...body, ...fields }),
  });
}

const thrown = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as Record<string, unknown>,
  );

const OPENAI_REFUSALS: [number, object][] = [
  [400, { error: { message: 'bad schema', type: 'invalid_request_error', param: 'tools[0]', code: 'invalid_schema' } }],
  [402, { error: { message: 'pay first', type: 'billing', code: null } }],
  [404, { error: { message: 'no such model', type: 'invalid_request_error', param: null, code: 'model_not_found' } }],
  [422, { error: { message: 'cannot do that', code: 422, metadata: { provider_name: 'x' } } }],
  [429, { error: { message: 'no money left', type: 'insufficient_quota', code: 'insufficient_quota' } }],
  [500, { error: { message: 'sorry', type: 'server_error', code: null } }],
  [503, { error: { message: 'too busy', type: 'service_unavailable_error', code: 'server_is_overloaded' } }],
];
const ANTHROPIC_REFUSALS: [number, object][] = [
  [
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'x', details: { error_code: 'any', n: 1 } } },
  ],
  [403, { type: 'error', error: { type: 'permission_error', message: 'not this model' }, request_id: 'req_1' }],
  [
    404,
    { type: 'error', error: { type: 'not_found_error', message: 'x', details: { error_code: 'thread_not_found' } } },
  ],
  [413, { type: 'error', error: { type: 'request_too_large', message: 'more than 32 MB' } }],
  [429, { type: 'error', error: { type: 'rate_limit_error', message: 'slowly' } }],
  [500, { type: 'error', error: { type: 'api_error', message: 'sorry' } }],
  [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
];
const RELAYED = [
  ...OPENAI_REFUSALS.flatMap(([status, body]) => [
    ['openai-chat', status, body] as const,
    ['openai-responses', status, body] as const,
  ]),
  ...ANTHROPIC_REFUSALS.map(([status, body]) => ['anthropic-messages', status, body] as const),
];

describe('what a provider refuses a client of its own protocol with', () => {
  test.each(RELAYED)('arrives as it was sent: %s %i %j', async (kind, status, body) => {
    const headers = {
      'retry-after': '7',
      'retry-after-ms': '6500',
      'x-should-retry': 'false',
      'request-id': 'req_011',
      'x-internal': 'no',
    };
    const { gateway } = await openRefusing(kind, { status, headers, body: JSON.stringify(body) });

    for (const stream of [false, true]) {
      const answer = await post(gateway, kind, { stream });
      expect([answer.status, answer.text]).toEqual([status, JSON.stringify(body)]);
      expect(Object.keys(headers).map((name) => answer.headers.get(name))).toEqual([
        '7',
        '6500',
        'false',
        'req_011',
        null,
      ]);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('is the typed error of the SDK, with its details', async () => {
    const overloaded = await openRefusing('anthropic-messages', {
      status: 529,
      headers: { 'request-id': 'req_9' },
      body: JSON.stringify(ANTHROPIC_REFUSALS[6]![1]),
    });
    const error = await thrown(CLIENTS['anthropic-messages'](overloaded.gateway));
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status: 529, type: 'overloaded_error', requestID: 'req_9' });

    const bad = await openRefusing('openai-chat', { status: 400, body: JSON.stringify(OPENAI_REFUSALS[0]![1]) });
    const refused = await thrown(CLIENTS['openai-chat'](bad.gateway));
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError);
    expect(refused).toMatchObject({ param: 'tools[0]', code: 'invalid_schema', type: 'invalid_request_error' });
  });

  test('that says it should not be tried again is not', async () => {
    const headers = { 'x-should-retry': 'false', 'retry-after': '60' };
    const answer = { status: 429, headers, body: '{"error":{"message":"no"}}' };
    const { fake, gateway } = await openRefusing('openai-chat', answer);
    await thrown(CLIENTS['openai-chat'](gateway, 2));
    expect(fake.requests.length).toBe(1);
  });

  test.each(KINDS)('loses what %s was given in confidence', async (kind) => {
    const message = `the key ${KEY} at Bearer ${KEY} is odd`;
    const error = { type: 'invalid_request_error', message, details: { seen: [KEY] }, param: KEY };
    const body = JSON.stringify({ type: 'error', error });
    const { gateway } = await openRefusing(kind, { status: 400, headers: { 'request-id': `req_${KEY}` }, body });

    const answer = await post(gateway, kind);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { details: { seen: ['[REDACTED]'] }, param: '[REDACTED]' },
    });
    expect(answer.headers.get('request-id')).toBe('req_[REDACTED]');
    expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(KEY);
  });

  test.each([
    ['openai-chat', 400, '<html>Bad gateway</html>'],
    ['openai-chat', 418, '{"detail":"a teapot"}'],
    ['openai-responses', 400, '{"error":"only a text"}'],
    ['openai-responses', 302, '{"error":{"message":"elsewhere"}}'],
    ['anthropic-messages', 400, '{"error":{"message":"in the form of others"}}'],
    ['anthropic-messages', 400, ''],
    ['openai-chat', 400, `{"error":{"message":"${'x'.repeat(100_000)}"}}`],
  ] as const)('has the form that its clients read where it had none: %s %i', async (kind, status, said) => {
    const { gateway } = await openRefusing(kind, { status, body: said });
    const answer = await post(gateway, kind);
    expect(answer.status).toBe(400);
    expect((JSON.parse(answer.text) as { error: object }).error).toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^The provider "fake" answered /),
    });
    expect(answer.text.length).toBeLessThan(1_000);
  });

  test.each(KINDS)('is ours to mend where it is about the key of %s', async (kind) => {
    const error = { type: 'authentication_error', message: 'invalid x-api-key' };
    const { gateway } = await openRefusing(kind, { status: 401, body: JSON.stringify({ type: 'error', error }) });
    const answer = await post(gateway, kind);
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining('The provider \\"fake\\" answered 401'),
    ]);
  });

  test('arrives as it was sent in the dialect of Gemini, too', async () => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE', details: [{ reason: 'x' }] };
    const { gateway } = await openRefusing('gemini', { status: 503, body: JSON.stringify({ error }) });
    const answer = await gateway.call('/v1beta/models/fake%2Fm:generateContent', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }),
    });
    expect([answer.status, answer.text]).toEqual([503, JSON.stringify({ error })]);
  });

  test('is that of the last target', async () => {
    const [first, last] = [await startFakeProvider(), await startFakeProvider()];
    first.answer({ status: 529, body: JSON.stringify(ANTHROPIC_REFUSALS[6]![1]) });
    last.answer({ status: 429, headers: { 'retry-after': '3' }, body: JSON.stringify(ANTHROPIC_REFUSALS[4]![1]) });
    const gateway = await openTestGateway({
      providers: { first: provider('anthropic-messages', first.url), last: provider('anthropic-messages', last.url) },
      routes: { default: ['first/m', 'last/m'] },
    });
    const answer = await post(gateway, 'anthropic-messages');
    expect([answer.status, answer.text]).toEqual([429, JSON.stringify(ANTHROPIC_REFUSALS[4]![1])]);
    expect(answer.headers.get('retry-after')).toBe('3');
  });
});

const OTHERS: Record<OwnDialect, readonly (OwnDialect | 'gemini' | 'ollama')[]> = {
  'openai-chat': ['openai-responses', 'anthropic-messages', 'gemini', 'ollama'],
  'openai-responses': ['openai-chat', 'anthropic-messages', 'gemini', 'ollama'],
  'anthropic-messages': ['openai-chat', 'openai-responses', 'gemini', 'ollama'],
};
const ACROSS = KINDS.flatMap((kind) => OTHERS[kind].map((upstream) => [kind, upstream] as const));

/** How each kind of client hears of what went wrong elsewhere. */
const TOLD: Record<OwnDialect, { overload: object; limit: object; overflow: object }> = {
  'openai-chat': {
    overload: { status: 503, type: 'server_error', message: expect.stringContaining('busy') },
    limit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    overflow: {
      status: 400,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: expect.stringContaining('exceeds the context window'),
    },
  },
  'openai-responses': {
    overload: { status: 503, type: 'server_error', message: expect.stringContaining('busy') },
    limit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    overflow: {
      status: 400,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: expect.stringContaining('exceeds the context window'),
    },
  },
  'anthropic-messages': {
    overload: { status: 529, type: 'overloaded_error', message: expect.stringContaining('busy') },
    limit: { status: 429, type: 'rate_limit_error' },
    overflow: {
      status: 400,
      type: 'invalid_request_error',
      message: expect.stringMatching(/prompt is too long/i),
    },
  },
};
const CLASSES = {
  'openai-chat': OpenAI,
  'openai-responses': OpenAI,
  'anthropic-messages': Anthropic,
} as const;

describe.each(ACROSS)('a client of %s at a provider of %s', (kind, upstream) => {
  test.each([503, 529])('hears of its overload (%i) in the way that it knows', async (status) => {
    const { gateway } = await openRefusing(upstream, {
      status,
      headers: { 'retry-after': '4' },
      body: '{"error":{"message":"busy"}}',
    });
    const error = await thrown(CLIENTS[kind](gateway));
    expect(error).toMatchObject(TOLD[kind].overload);
    expect((error!['headers'] as Headers).get('retry-after')).toBe('4');
  });

  test('hears of its rate limit with the time to wait', async () => {
    const { gateway } = await openRefusing(upstream, { status: 429, headers: { 'retry-after': '9' }, body: '{}' });
    const error = await thrown(CLIENTS[kind](gateway));
    expect(error).toMatchObject(TOLD[kind].limit);
    expect(error).toBeInstanceOf(CLASSES[kind].RateLimitError);
    expect((error!['headers'] as Headers).get('retry-after')).toBe('9');
  });

  test.each([
    [400, '{"error":{"message":"Too much","code":"context_length_exceeded"}}'],
    [
      400,
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}',
    ],
    [
      400,
      '{"error":{"code":400,"message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}}',
    ],
    [400, '{"error":{"message":"the request exceeds the available context size, try increasing it"}}'],
    [413, '{"error":"prompt too long; exceeded max context length by 1 tokens"}'],
  ])('hears in its own words that the conversation is too long: %i %s', async (status, body) => {
    const { gateway } = await openRefusing(upstream, { status, body });
    const error = await thrown(CLIENTS[kind](gateway));
    expect(error).toBeInstanceOf(CLASSES[kind].BadRequestError);
    expect(error).toMatchObject(TOLD[kind].overflow);
  });
});

test.each(['/v1/messages', '/v1/responses', '/v1/chat/completions'])(
  'a page in place of a streamed answer is refused by its kind before anything is sent: %s',
  async (path) => {
    const fake = await startFakeProvider();
    fake.answer({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>Sign in</html>' });
    const gateway = await openTestGateway({
      providers: { fake: provider('openai-chat', fake.url) },
      routes: { default: ['fake/m'] },
    });
    const messages = [{ role: 'user', content: 'Hi' }];
    const asked = path === '/v1/responses' ? { input: 'Hi' } : { messages, max_tokens: 9 };
    const { text, headers } = await gateway.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'default', stream: true, ...asked }),
    });
    expect(headers.get('content-type')).toContain('application/json');
    expect(text).toContain('The provider \\"fake\\" answered with text/html');
  },
);
