import { join } from 'node:path';
import { startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from '../gateway.fixture.ts';
import { ask, openManaged, post, SECRET } from './manage.fixture.ts';

test('BYOK-24 the gateway tells what is in force, and of keys only how many there are', async () => {
  const gateway = await openTestGateway({
    providers: {
      claude: { type: 'anthropic-messages', apiKey: [SECRET, `${SECRET}-2`], models: ['claude-sonnet-5'] },
      behind: {
        type: 'openai-chat',
        baseUrl: `https://me:${SECRET}@proxy.example/v1`,
        headers: { 'x-team': SECRET },
      },
    },
    routes: {
      default: ['claude/claude-sonnet-5', 'behind/qwen'],
      fast: { targets: ['behind/qwen'], temperature: 0.2, maxTokens: 900, redaction: false },
    },
  });

  const told = await ask(gateway, 'readGateway');

  expect(told).toEqual({
    providers: [
      { name: 'claude', type: 'anthropic-messages', models: ['claude-sonnet-5'], keys: 2, isBuiltIn: false },
      {
        name: 'behind',
        type: 'openai-chat',
        baseUrl: 'https://••••••@proxy.example/v1',
        models: ['*'],
        keys: 0,
        isBuiltIn: false,
      },
      { name: 'offline', type: 'offline', models: ['offline'], keys: 0, isBuiltIn: true },
    ],
    routes: [
      { name: 'default', targets: ['claude/claude-sonnet-5', 'behind/qwen'] },
      { name: 'fast', targets: ['behind/qwen'], temperature: 0.2, maxTokens: 900, redaction: false },
    ],
    models: ['default', 'fast', 'offline/offline', 'claude/claude-sonnet-5'],
    kinds: [
      { type: 'openai-chat', baseUrl: 'https://api.openai.com/v1', needsKey: true },
      { type: 'openai-responses', baseUrl: 'https://api.openai.com/v1', needsKey: true },
      { type: 'anthropic-messages', baseUrl: 'https://api.anthropic.com/v1', needsKey: true },
      { type: 'gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta', needsKey: true },
      { type: 'ollama', baseUrl: 'http://127.0.0.1:11434', needsKey: false },
      { type: 'ai-sdk', needsKey: false },
    ],
    counters: {
      since: expect.any(Number),
      calls: 0,
      failed: 0,
      refused: 0,
      limited: 0,
      blocked: 0,
      redactions: 0,
      repairs: 0,
    },
  });
  expect(JSON.stringify(told)).not.toContain(SECRET);
});

test('a provider that is named offline is the one that was configured', async () => {
  const gateway = await openTestGateway({ providers: { offline: { type: 'ollama' } } });

  const { providers } = await ask(gateway, 'readGateway');

  expect(providers).toEqual([{ name: 'offline', type: 'ollama', models: ['*'], keys: 0, isBuiltIn: false }]);
});

test('COMPAT-20 calls are counted by what became of them', async () => {
  const fake = await startFakeProvider();
  fake.answer({ body: recordedAnswer('openai-chat', 'text') });
  const gateway = await openTestGateway({
    limits: { requests: 5 },
    providers: {
      fake: { ...provider('openai-chat', fake.url), models: ['m'] },
      blind: { ...provider('openai-chat', fake.url), models: ['m'], images: false },
    },
  });
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
  const chat = (content: unknown, model = 'fake/m') =>
    gateway.call('/v1/chat/completions', post({ model, stream: true, messages: [{ role: 'user', content }] }));

  await chat('my key is sk-abcdefghijklmnopqrstuvwxyz'); // Well, with a redaction.
  fake.answer({ status: 500, body: '{}' });
  await chat('hello'); // Failed.
  await chat('hello', 'nobody/has-this'); // Unknown.
  await chat([image], 'blind/m'); // No images here.
  await gateway.call('/chat-stream', post({ message: 5 })); // Cannot be read.
  for (let more = 0; more < 2; more++) await chat('hello'); // Beyond the limit.
  await gateway.call('/client-metrics', post({}));

  const { counters } = await ask(gateway, 'readGateway');
  expect(counters).toEqual({
    since: expect.any(Number),
    calls: 2,
    failed: 1,
    refused: 3,
    limited: 2,
    blocked: 1,
    redactions: 1,
    repairs: 0,
  });
});

test('a provider shows its last success and its last error, also when another one took the call', async () => {
  const [broken, good] = [await startFakeProvider(), await startFakeProvider()];
  broken.answer({ status: 401, body: '{"error":{"message":"no"}}' });
  good.answer({ body: recordedAnswer('openai-chat', 'text') });
  const gateway = await openTestGateway({
    providers: { broken: provider('openai-chat', broken.url), good: provider('openai-chat', good.url) },
    routes: { default: ['broken/m', 'good/m'] },
  });

  await gateway.call('/chat-stream', post({ message: 'hi' }));

  expect((await ask(gateway, 'readGateway')).providers).toMatchObject([
    { name: 'broken', lastError: { at: expect.any(Number), code: 'forbidden' } },
    { name: 'good', lastSuccessAt: expect.any(Number) },
    { name: 'offline' },
  ]);
});

test('a call that its client gave up says nothing about the provider', async () => {
  const { gateway, fake, ask: tell } = await openManaged();
  const held = Promise.withResolvers<void>();
  fake.answer({ body: [...recordedAnswer('openai-chat', 'text').slice(0, 2), held.promise] });
  const leaving = new AbortController();
  const response = await fetch(`${gateway.url}/chat-stream`, {
    ...post({ message: 'hi' }, { authorization: `Bearer ${gateway.tokenOf.member}` }),
    signal: leaving.signal,
  });
  await response.body!.getReader().read();
  leaving.abort();
  expect(await (await fake.request(1)).ended).toBe('left');

  const { providers, counters } = await tell('readGateway');
  expect(providers[0]).toEqual(expect.not.objectContaining({ lastError: expect.anything() }));
  expect(counters).toMatchObject({ calls: 1, failed: 0 });
  held.resolve();
});

test('a target that answered another process is no longer paused, and tells when it answered last', async () => {
  const location = { databaseUrl: undefined, databaseFile: join(tempFolder(), 'dragoman.sqlite') };
  const fake = await startFakeProvider();
  const config = { providers: { fake: provider('openai-chat', fake.url) }, routes: { default: ['fake/m'] } };
  const server = await openTestGateway(config, {}, 'sqlite', location);
  const elsewhere = await openTestGateway(config, {}, 'sqlite', location);
  fake.answer({ status: 429, body: '{"error":{"message":"slow down"}}' });
  await server.call('/chat-stream', post({ message: 'hi' }));
  const failed = await ask(server, 'readGateway');
  expect(failed.resting).toMatchObject([{ name: 'fake/m' }]);

  fake.answer({ body: recordedAnswer('openai-chat', 'text') });
  await elsewhere.call('/chat-stream', post({ message: 'hi' }));
  await elsewhere.book.usageLog.flush();

  const told = await ask(server, 'readGateway');
  expect(told.resting).toBeUndefined();
  expect(told.providers[0]).toMatchObject({
    lastError: failed.providers[0]!.lastError,
    lastSuccessAt: expect.any(Number),
  });
  expect(told.counters).toMatchObject({ calls: 1, failed: 1 });
});
