import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedPort, startFakeProvider } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openTestGateway, provider, testConfig } from '../gateway.fixture.ts';
import { anthropicMessagesModels } from '../upstreams/anthropic-messages/list-models.ts';
import { geminiModels } from '../upstreams/gemini/list-models.ts';
import { ollamaModels } from '../upstreams/ollama/list-models.ts';
import { openAiChatModels } from '../upstreams/openai-chat/list-models.ts';
import { listProviderModels } from './list-provider-models.ts';
import { ask, asked, openManaged, SECRET, testParts } from './manage.fixture.ts';
import { testModel } from './test-model.ts';

test.each([
  [
    'openai-chat',
    'authorization',
    '/v1/models',
    { data: [{ id: 'gpt-5' }, { id: 'gpt-5' }, { id: 7 }, null] },
    ['gpt-5'],
  ],
  ['openai-chat', 'authorization', '/v1/models', [{ id: 'meta/llama' }], ['meta/llama']],
  ['openai-responses', 'authorization', '/v1/models', { data: [{ id: 'gpt-5' }] }, ['gpt-5']],
  ['ollama', 'authorization', '/api/tags', { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }] }, ['qwen3:8b']],
  [
    'anthropic-messages',
    'x-api-key',
    '/v1/models?limit=1000',
    { data: [{ type: 'model', id: 'claude-sonnet-5' }], has_more: false, last_id: 'claude-sonnet-5' },
    ['claude-sonnet-5'],
  ],
  [
    'gemini',
    'x-goog-api-key',
    '/v1/models?pageSize=1000',
    {
      models: [
        { name: 'models/gemini-3-pro', supportedGenerationMethods: ['generateContent', 'countTokens'] },
        { name: 'models/text-embedding-4', supportedGenerationMethods: ['embedContent'] },
      ],
    },
    ['gemini-3-pro'],
  ],
] as const)(
  'a provider of type %s is asked for its models, in its own words',
  async (type, header, path, body, models) => {
    const fake = await startFakeProvider();
    fake.answer({ body: JSON.stringify(body) });
    const gateway = await openTestGateway();
    const { baseUrl } = provider(type, fake.url);

    expect(await ask(gateway, 'listProviderModels', { provider: { type, baseUrl, apiKey: SECRET } })).toEqual({
      models,
    });

    const [request] = fake.requests;
    expect(request).toMatchObject({ path, text: '' });
    expect(request!.headers[header]).toContain(SECRET);
    expect(request!.headers).not.toHaveProperty('content-type');
  },
);

test('a list that comes in pages is read to its end', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({
    providers: {
      claude: provider('anthropic-messages', fake.url),
      google: { ...provider('gemini', fake.url), query: { region: 'eu' } },
    },
  });

  fake.answer(
    { body: '{"data":[{"id":"a"},{"id":"b/1"}],"has_more":true,"last_id":"b/1"}' },
    { body: '{"data":[{"id":"c"}],"has_more":false}' },
  );
  expect(await ask(gateway, 'listProviderModels', { provider: 'claude' })).toEqual({ models: ['a', 'b/1', 'c'] });
  expect(fake.requests.map(({ path }) => path)).toEqual([
    '/v1/models?limit=1000',
    '/v1/models?limit=1000&after_id=b%2F1',
  ]);
  expect(fake.requests[0]!.headers).toMatchObject({ 'anthropic-version': '2023-06-01' });

  fake.answer(
    { body: '{"models":[{"name":"models/a"}],"nextPageToken":"x="}' },
    { body: '{"models":[{"name":"tunedModels/b"}],"nextPageToken":""}' },
  );
  expect(await ask(gateway, 'listProviderModels', { provider: 'google' })).toEqual({ models: ['a', 'tunedModels/b'] });
  expect(fake.requests[3]!.path).toBe('/v1/models?pageSize=1000&pageToken=x%3D&region=eu');
});

test('a provider that has always one more page is not asked for ever', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { google: provider('gemini', fake.url) } });
  fake.answer(
    ...Array.from({ length: 40 }, (_, page) => ({
      body: JSON.stringify({ models: [{ name: `models/m${page}` }], nextPageToken: `p${page}` }),
    })),
  );

  const { models } = await ask(gateway, 'listProviderModels', { provider: 'google' });

  expect(models).toHaveLength(20);
  expect(fake.requests).toHaveLength(20);
});

test('the path that a provider has for its calls is not the one of its models', async () => {
  const fake = await startFakeProvider();
  fake.answer({ body: '{"data":[]}' });
  const gateway = await openTestGateway({
    providers: {
      azure: { ...provider('openai-chat', fake.url), path: '/deployments/{model}/chat', query: { v: '1' } },
    },
  });

  expect(await ask(gateway, 'listProviderModels', { provider: 'azure' })).toEqual({ models: [] });
  expect(fake.requests[0]!.path).toBe('/v1/models?v=1');
});

test('a provider that cannot tell its models says so', async () => {
  const gateway = await openTestGateway();

  for (const asked of ['offline', { type: 'ai-sdk' }])
    expect(await ask(gateway, 'listProviderModels', { provider: asked })).toEqual({
      models: [],
      problem: {
        code: 'not-offered',
        message: expect.stringMatching(/^Providers of type "(?:offline|ai-sdk)" cannot list their models\.$/),
        fix: 'Enter the names of its models yourself.',
      },
    });
});

test('BYOK-24 what a provider answers instead of its models is explained, without the key it repeats', async () => {
  const { gateway, fake, ask: tell } = await openManaged();
  const answers = [
    [401, `{"error":{"message":"no such key ${SECRET}"}}`, 'key-refused'],
    [404, '', 'not-found'],
    [429, '', 'quota'],
    [500, '', 'provider-failed'],
    [200, '<html>', 'misread'],
    [200, '{"models":5}', 'misread'],
    [200, 'null', 'misread'],
  ] as const;
  for (const [status, body, code] of answers) {
    fake.answer({ status, body });

    const answer = await tell('listProviderModels', { provider: 'fake' });

    expect(answer).toMatchObject({ models: [], problem: { code, fix: expect.any(String) } });
    expect(JSON.stringify([answer, gateway.logged])).not.toContain(SECRET);
  }
});

test('a provider that cannot be reached, or is not there, is a problem too', async () => {
  const gateway = await openTestGateway();
  const draft = { type: 'ollama', baseUrl: `http://127.0.0.1:${await closedPort()}` };

  expect(await ask(gateway, 'listProviderModels', { provider: draft })).toMatchObject({
    problem: { code: 'unreachable' },
  });
  expect(await ask(gateway, 'listProviderModels', { provider: 'nope' })).toMatchObject({
    problem: { code: 'unknown-name' },
  });
});

test('an answer that does not come to an end is given up, and called too large', async () => {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const endless = createServer((_request, response) => {
    const go = () => void (response.destroyed || response.write(piece, go));
    go();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void endless.close());
  await once(endless, 'listening');
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  const config = testConfig({ providers: { endless: provider('ollama', url) } });
  const patient = { ...asked(), limitMs: 300_000 }; // A busy machine reads 32 MiB in its own time.

  for (const answer of [
    await listProviderModels(config, { provider: 'endless', ...patient }),
    await testModel(testParts(config), { model: 'endless/m', ...patient }),
  ])
    expect(answer).toMatchObject({
      problem: { code: 'misread', message: expect.stringMatching(/too large: more than \d+ bytes/) },
    });
});

test('a provider that never answers is given up', async () => {
  const fake = await startFakeProvider();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  fake.answer({ body: [held.promise] });
  const config = testConfig({ providers: { fake: provider('openai-chat', fake.url) } });

  const listed = listProviderModels(config, { provider: 'fake', left: new AbortController().signal, limitMs: 100 });

  expect(await listed).toMatchObject({ models: [], problem: { code: 'timed-out' } });
  expect(await (await fake.request(1)).ended).toBe('left');
});

test('whatever a provider sends for its models, it is a list of names or no list', () => {
  for (const list of [openAiChatModels, anthropicMessagesModels, geminiModels, ollamaModels])
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            data: fc.jsonValue(),
            models: fc.jsonValue(),
            has_more: fc.jsonValue(),
            nextPageToken: fc.jsonValue(),
          }),
          fc.record({
            data: fc.array(fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue() }))),
            models: fc.array(fc.oneof(fc.jsonValue(), fc.record({ name: fc.jsonValue() }))),
          }),
        ),
        (body) => {
          const read = list.read(body);
          if (read === undefined) return;
          expect(read.models.every((name) => typeof name === 'string')).toBe(true);
          expect(['string', 'undefined']).toContain(typeof read.next);
        },
      ),
    );
});
