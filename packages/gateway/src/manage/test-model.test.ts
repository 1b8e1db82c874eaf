import { createServer } from 'node:net';
import { once } from 'node:events';
import { closedPort, startFakeProvider } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer, testConfig } from '../gateway.fixture.ts';
import { ask, asked, openManaged, post, SECRET, testParts } from './manage.fixture.ts';
import { testModel } from './test-model.ts';

test('a name that clients may ask for is tested by one small call, whose times and tokens are told', async () => {
  const { fake, ask: tell } = await openManaged();

  const answer = await tell('testModel', { model: 'default' });

  expect(answer).toEqual({
    isWell: true,
    text: 'Grüße, 世界 🌍.',
    target: 'fake/m',
    firstMs: expect.any(Number),
    totalMs: expect.any(Number),
    inputTokens: 30,
    outputTokens: 12,
  });
  expect(fake.requests).toHaveLength(1);
  expect(fake.requests[0]!.body).toMatchObject({
    model: 'm',
    messages: [{ role: 'user', content: 'Reply with the word: ready' }],
    stream: true,
  });
  expect(Object.values(fake.requests[0]!.body)).toContain(16);
});

test.each(['anthropic-messages', 'openai-responses', 'gemini', 'ollama'] as const)(
  'a provider of type %s that is not saved yet is tested with the key that is being typed',
  async (type) => {
    const fake = await startFakeProvider();
    fake.answer({
      body: recordedAnswer(type, 'text'),
      ...(type === 'ollama' ? { headers: { 'content-type': 'application/x-ndjson' } } : {}),
    });
    const gateway = await openTestGateway();
    const { baseUrl } = provider(type, fake.url);

    const answer = await ask(gateway, 'testModel', {
      model: 'some-model',
      provider: { type, baseUrl, apiKey: SECRET, headers: { 'x-team': 'blue' } },
    });

    expect(answer).toMatchObject({ isWell: true, target: 'new provider/some-model', text: expect.stringMatching(/./) });
    const sent = fake.requests[0]!.headers;
    expect([sent['x-api-key'], sent['x-goog-api-key'], sent.authorization].join(' ')).toContain(SECRET);
    expect(sent['x-team']).toBe('blue');
    expect(gateway.config.providers).toEqual({});
    expect(JSON.stringify([answer, gateway.logged])).not.toContain(SECRET);
  },
);

test('a saved provider is tested with its own key and a model that need not be listed', async () => {
  const { fake, ask: tell } = await openManaged();

  expect(await tell('testModel', { model: 'brand-new', provider: 'fake' })).toMatchObject({
    isWell: true,
    target: 'fake/brand-new',
  });
  expect(fake.requests[0]!.headers.authorization).toBe(`Bearer ${SECRET}`);
});

test('the offline model is tested without anything configured', async () => {
  const gateway = await openTestGateway();

  expect(await ask(gateway, 'testModel', { model: 'offline/offline' })).toMatchObject({
    isWell: true,
    target: 'offline/offline',
    text: expect.stringContaining('offline model'),
  });
});

/** What a provider answers, as what it is explained, and a piece of what to do. */
const REFUSALS: [status: number, said: string, code: string, fix: string][] = [
  [401, '{"error":{"message":"Incorrect API key provided"}}', 'key-refused', 'Paste the whole key again'],
  [403, '{"error":{"message":"Not for you"}}', 'key-refused', 'can use this model'],
  [
    400,
    '{"error":{"message":"API key not valid. Please pass a valid API key."}}',
    'key-refused',
    'Paste the whole key again',
  ],
  [404, '{"error":{"message":"The model `m` does not exist"}}', 'not-found', 'model name and the base URL (http'],
  [400, '{"error":{"message":"Model m is not supported"}}', 'not-found', 'model name'],
  [405, 'no', 'not-found', 'model name'],
  [429, '{"error":{"message":"You exceeded your current quota"}}', 'quota', 'its plan and balance'],
  [402, '{"error":{"message":"Top up"}}', 'quota', 'its plan and balance'],
  [400, '{"error":{"message":"Your credit balance is too low"}}', 'quota', 'its plan and balance'],
  [400, '{"error":{"message":"messages.0: unexpected field"}}', 'refused', 'Choose another type'],
  [422, '{"detail":"no"}', 'refused', 'Choose another type'],
  [500, '{"error":{"message":"oh no"}}', 'provider-failed', 'Try again in a minute'],
  [503, '<html>busy</html>', 'provider-failed', 'Try again in a minute'],
  [504, '', 'timed-out', 'may still be loading'],
  [301, '', 'misread', 'correct the URL'],
  [200, '<html>Welcome</html>', 'misread', 'does not speak "openai-chat"'],
];

test('BYOK-24 what a provider answers instead is explained, with its own words and without the key it repeats', async () => {
  const { gateway, fake, ask: tell } = await openManaged();
  for (const [status, said, code, fix] of REFUSALS) {
    fake.answer({ status, body: said.replace('"message":"', `"message":"${SECRET} `) });

    const answer = await tell('testModel', { model: 'fake/m' });

    const words = /"message":"([^"]*)"/.exec(said)?.[1] ?? '';
    expect(answer).toMatchObject({
      isWell: false,
      text: '',
      target: 'fake/m',
      problem: { code, message: expect.stringContaining(words), fix: expect.stringContaining(fix) },
    });
    expect(JSON.stringify([answer, gateway.logged])).not.toContain(SECRET);
  }
});

test('an error in the middle of an answer is explained, and what had come is shown', async () => {
  const { fake, ask: tell } = await openManaged();
  const error = `data: {"error":{"message":"overloaded, ${SECRET}","type":"server_error"}}\n\n`;
  fake.answer({ body: [...recordedAnswer('openai-chat', 'text').slice(0, 2), error] });

  const answer = await tell('testModel', { model: 'fake/m' });

  expect(answer).toMatchObject({
    isWell: false,
    text: 'Grüße, ',
    problem: { code: 'provider-failed', message: 'The provider stopped: overloaded, [REDACTED]' },
  });
});

test('a provider that wants a key and has none is told apart from a wrong key', async () => {
  const { fake, ask: tell } = await openManaged();
  fake.answer({ status: 401, body: '{}' });

  const draft = { type: 'openai-chat', baseUrl: `${fake.url}/v1`, apiKey: '' };
  expect(await tell('testModel', { model: 'm', provider: draft })).toMatchObject({
    isWell: false,
    problem: { code: 'key-missing', fix: expect.stringContaining('Add one') },
  });
  expect(fake.requests[0]!.headers).not.toHaveProperty('authorization');
});

test('an address where nobody listens, or whose name nobody knows, is explained as such', async () => {
  const gateway = await openTestGateway();
  const test = async (baseUrl: string) =>
    (await ask(gateway, 'testModel', { model: 'm', provider: { type: 'openai-chat', baseUrl } })).problem;

  const port = await closedPort();
  expect(await test(`http://127.0.0.1:${port}/v1`)).toEqual({
    code: 'unreachable',
    message: 'The service cannot be reached: ECONNREFUSED',
    fix: `Nothing is listening at this URL (http://127.0.0.1:${port}/v1). Start the service, or correct the URL and its port.`,
  });
  expect(await test('http://no-such-host.invalid/v1')).toMatchObject({
    code: 'unreachable',
    fix: expect.stringContaining('The host name in the URL (http://no-such-host.invalid/v1) was not found.'),
  });
});

test('a port that speaks something else is explained as such, with http and with https', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n').on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const gateway = await openTestGateway();
  const test = async (baseUrl: string) =>
    (await ask(gateway, 'testModel', { model: 'm', provider: { type: 'openai-chat', baseUrl } })).problem;

  expect(await test(`http://127.0.0.1:${port}/v1`)).toMatchObject({ code: 'misread' });
  expect(await test(`https://127.0.0.1:${port}/v1`)).toMatchObject({
    code: 'unreachable',
    fix: expect.stringContaining('does not support https'),
  });
});

test('a draft that cannot be used as it is has a problem in its settings', async () => {
  const gateway = await openTestGateway();
  const drafts = [
    [{ type: 'open-ai' }, 'type: ', 'Correct this setting'],
    [{ type: 'openai-chat', baseUrl: 'localhost' }, 'baseUrl: ', 'Correct this setting'],
    [{ type: 'openai-chat', path: 'chat' }, 'path: ', 'Correct this setting'],
    [{ type: 'openai-chat', apiKey: '{env:KEY}' }, 'reference', 'Correct this setting'],
    [{ type: 'ai-sdk' }, 'needs a package', 'Correct this setting'],
    [{ type: 'openai-chat', baseUrl: 'http://127.0.0.1:1', apiKey: `${SECRET}\nmore` }, '', 'such as a line break'],
  ] as const;
  for (const [draft, message, fix] of drafts) {
    const { isWell, problem } = await ask(gateway, 'testModel', { model: 'm', provider: draft });

    expect({ isWell, problem }).toEqual({
      isWell: false,
      problem: {
        code: 'config-invalid',
        message: expect.stringContaining(message),
        fix: expect.stringContaining(fix),
      },
    });
    expect(problem!.message).not.toContain(SECRET);
  }
});

test('a model or a provider that is not there is named, with those that are', async () => {
  const gateway = await openTestGateway();

  expect(await ask(gateway, 'testModel', { model: 'gpt-9' })).toMatchObject({
    isWell: false,
    target: '',
    problem: { code: 'unknown-name', message: expect.stringContaining('offline/offline') },
  });
  expect(await ask(gateway, 'testModel', { model: 'm', provider: 'constructor' })).toMatchObject({
    problem: {
      code: 'unknown-name',
      message: 'There is no provider named "constructor". Available providers: offline.',
    },
  });
  expect((await gateway.call('/api/gateway/test', post({ model: '' }))).status).toBe(400);
});

test('a provider that does not finish in the time of a test is given up', async () => {
  const fake = await startFakeProvider();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  fake.answer({ body: [...recordedAnswer('openai-chat', 'text').slice(0, 2), held.promise] });
  const config = testConfig({ providers: { fake: provider('openai-chat', fake.url) } });
  const parts = testParts(config);

  const answer = await testModel(parts, { model: 'fake/m', ...asked(), limitMs: 200 });

  expect(answer).toMatchObject({
    isWell: false,
    problem: {
      code: 'timed-out',
      message: 'The provider "fake" did not finish its answer within 200 ms.',
      fix: expect.stringContaining('may still be loading'),
    },
  });
  expect(await (await fake.request(1)).ended).toBe('left');
  expect(parts.calls.counters).toEqual({ calls: 1, failed: 1, refused: 0 });
  expect(parts.calls.providerState('fake').lastError).toMatchObject({ code: 'timed-out' });
});

test('whoever leaves takes the call with them', async () => {
  const { gateway, fake } = await openManaged();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  fake.answer({ body: [held.promise] });
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${gateway.tokenOf.admin}` };
  const asked = fetch(`${gateway.url}/api/gateway/test`, {
    ...post({ model: 'fake/m' }, headers),
    signal: leaving.signal,
  });
  const request = await fake.request(1);

  leaving.abort();

  await expect(asked).rejects.toThrow('aborted');
  expect(await request.ended).toBe('left');
});

test('a test is a call of its caller in the usage log, and no limit holds it back', async () => {
  const { ask: tell } = await openManaged({ limits: { requests: 1 } });
  for (let round = 0; round < 3; round++)
    expect(await tell('testModel', { model: 'default' })).toMatchObject({ isWell: true });

  const { requests } = await tell('listRequests');
  expect(requests).toHaveLength(3);
  expect(requests[0]).toMatchObject({
    userName: 'owner',
    tokenName: 'admin token',
    dialect: 'console',
    route: 'default',
    target: 'fake/m',
    inputTokens: 30,
    finishReason: 'stop',
  });
  expect((await tell('readUsage', { by: 'token' })).rows).toMatchObject([{ key: 'owner/admin token', calls: 3 }]);
});

test('a route is tested as clients use it: the next target takes over from one that fails', async () => {
  const { gateway, fake } = await openManaged();
  gateway.config.routes['default'] = ['fake/m', 'offline/offline'];
  fake.answer({ status: 503, body: '' });

  expect(await ask(gateway, 'testModel', { model: 'default' })).toMatchObject({
    isWell: true,
    target: 'offline/offline',
  });
  expect((await ask(gateway, 'readGateway')).providers[0]).toMatchObject({ lastError: { code: 'unavailable' } });
});
