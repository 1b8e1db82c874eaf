import { type FakeProvider, startFakeProvider } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer, testConfig } from '../gateway.fixture.ts';
import { listAllowed, resolveAllowed } from './allowed-models.ts';

const SAID = [{ role: 'user', content: 'hi' }];
const PARTS = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

/** A call of each kind for one model. */
const CALLS = (model: string): Record<string, { path: string; body?: unknown; form?: FormData }> => ({
  'openai-chat': { path: '/v1/chat/completions', body: { model, messages: SAID } },
  'openai-chat, streamed': { path: '/v1/chat/completions', body: { model, messages: SAID, stream: true } },
  'openai-completions': { path: '/v1/completions', body: { model, prompt: 'hi' } },
  'openai-responses': { path: '/v1/responses', body: { model, input: 'hi' } },
  'openai-responses, counted': { path: '/v1/responses/input_tokens', body: { model, input: 'hi' } },
  'anthropic-messages': { path: '/v1/messages', body: { model, max_tokens: 10, messages: SAID } },
  'anthropic-messages, counted': { path: '/v1/messages/count_tokens', body: { model, messages: SAID } },
  gemini: { path: `/v1beta/models/${model}:generateContent`, body: PARTS },
  'gemini, streamed': { path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`, body: PARTS },
  'gemini, counted': { path: `/v1beta/models/${model}:countTokens`, body: PARTS },
  'gemini, embedded': {
    path: `/v1beta/models/${model}:embedContent`,
    body: { content: { parts: [{ text: 'hi' }] } },
  },
  'ollama chat': { path: '/api/chat', body: { model, messages: SAID } },
  'ollama chat that loads': { path: '/api/chat', body: { model, messages: [] } },
  'ollama generate': { path: '/api/generate', body: { model, prompt: 'hi' } },
  'ollama embed': { path: '/api/embed', body: { model, input: 'hi' } },
  'ollama show': { path: '/api/show', body: { model } },
  'ollama pull': { path: '/api/pull', body: { model } },
  'augment chat': { path: '/chat', body: { model, message: 'hi' } },
  'augment chat-stream': { path: '/chat-stream', body: { model, message: 'hi' } },
  'augment task': { path: '/completion', body: { model, prompt: 'hi' } },
  embeddings: { path: '/v1/embeddings', body: { model, input: 'hi' } },
  transcription: { path: '/v1/audio/transcriptions', form: recording(model) },
  'one model': { path: `/v1/models/${model}` },
  'one model of gemini': { path: `/v1beta/models/${model}` },
});

function recording(model: string): FormData {
  const form = new FormData();
  form.set('model', model);
  form.set('file', new Blob(['sound'], { type: 'audio/wav' }), 'a.wav');
  return form;
}

async function openLimited(fake: FakeProvider, models: string[]) {
  const gateway = await openTestGateway({
    providers: {
      fake: provider('openai-chat', fake.url),
      other: { ...provider('openai-chat', fake.url), models: ['o'] },
    },
    routes: { cheap: ['fake/small'], dear: ['fake/large'], default: ['fake/large'] },
  });
  const user = await gateway.tokens.openUser('owner', 'admin');
  const { text } = await gateway.tokens.createToken({ user, name: 'ci', role: 'models', expiresAt: null, models });
  const headers = { authorization: `Bearer ${text}` };
  return {
    gateway,
    ask: ({ path, body, form }: { path: string; body?: unknown; form?: FormData }) =>
      gateway.call(path, {
        method: body === undefined && form === undefined ? 'GET' : 'POST',
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(form !== undefined && { body: form }),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}

describe('a token that is limited to some models', () => {
  test.each(Object.keys(CALLS('dear')))('is refused a model that is none of them: %s', async (kind) => {
    const fake = await startFakeProvider();
    const { ask } = await openLimited(fake, ['cheap', 'other/*']);

    const { status, text } = await ask(CALLS('dear')[kind]!);

    expect(status).toBe(403);
    expect(text).toContain('cannot use the model');
    expect(text).toContain('dear');
    expect(text).toContain('It can use: cheap, other/*.');
    expect(fake.requests).toEqual([]);
  });

  test('is told so in the form of each dialect', async () => {
    const { ask } = await openLimited(await startFakeProvider(), ['cheap']);
    const message = 'The token "ci" cannot use the model "dear". It can use: cheap.';
    const bodyOf = async (kind: string) => (await ask(CALLS('dear')[kind]!)).body;

    expect(await bodyOf('openai-chat')).toEqual({
      error: { message, type: 'permission_error', param: null, code: 'forbidden' },
    });
    expect(await bodyOf('anthropic-messages')).toMatchObject({
      type: 'error',
      error: { type: 'permission_error', message },
    });
    expect(await bodyOf('gemini')).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED', message } });
    expect(await bodyOf('ollama chat')).toEqual({ error: message });
  });

  test('calls those models', async () => {
    const fake = await startFakeProvider();
    const { ask } = await openLimited(fake, ['cheap', 'other/*']);

    for (const model of ['cheap', 'other/o', 'o']) {
      fake.answer({ body: recordedAnswer('openai-chat', 'text') });
      const { status } = await ask({ path: '/v1/chat/completions', body: { model, messages: SAID, stream: true } });
      expect(status).toBe(200);
    }
    expect(fake.requests.map(({ body }) => (body as { model: string }).model)).toEqual(['small', 'o', 'o']);
  });

  test('asks for no model by asking for none, where the usual one is not among them', async () => {
    const fake = await startFakeProvider();
    const { ask } = await openLimited(fake, ['cheap']);

    expect((await ask({ path: '/chat', body: { message: 'hi' } })).status).toBe(403);
    expect(fake.requests).toEqual([]);
  });

  test('sees them in every list, and no others', async () => {
    const { ask } = await openLimited(await startFakeProvider(), ['cheap', 'other/*', 'fake/new']);
    const listed = ['cheap', 'other/o', 'fake/new'];
    const bodyOf = async (path: string, body?: unknown) => (await ask({ path, body })).body;
    const named = (name: string) => expect.objectContaining({ name });

    expect(await bodyOf('/v1/models')).toMatchObject({ data: listed.map((id) => ({ id })) });
    expect(await bodyOf('/v1beta/models')).toMatchObject({ models: listed.map((name) => named(`models/${name}`)) });
    expect(await bodyOf('/api/tags')).toEqual({ models: listed.map(named) });
    const augment = await bodyOf('/get-models', {});
    expect(augment).toMatchObject({ default_model: 'cheap', models: listed.map(named) });
    expect(JSON.stringify(augment)).not.toContain('dear');
    expect((await ask({ path: '/v1/models/other/o' })).status).toBe(200);
  });

  test('learns no other names from a model that is not there', async () => {
    const gateway = testConfig({ providers: { p: { type: 'openai-chat', models: ['a'] } }, routes: { dear: ['p/a'] } });

    expect(() => resolveAllowed('cheap', gateway, { models: ['cheap', 'p/a'], tokenName: 'ci' })).toThrow(
      'There is no model named "cheap". Available models: p/a.',
    );
    expect(() => resolveAllowed('other', gateway, { models: ['cheap', 'p/a'], tokenName: 'ci' })).toThrow(
      'The token "ci" cannot use the model "other". It can use: cheap, p/a.',
    );
  });

  test('does not get to others by asking a provider for what it does not have', () => {
    const models = ['small/*', 'embed*'];
    const config = testConfig({
      providers: {
        small: { type: 'openai-chat', models: ['s'] },
        router: { type: 'openai-chat', models: ['*'] },
      },
    });
    const withRest = { ...config, routes: { '*': ['router/dear'] } };
    const ask = (asked: string, given = config) => resolveAllowed(asked, given, { models, tokenName: 'ci' }).name;

    expect(ask('small/s')).toBe('small/s');
    expect(ask('s')).toBe('s');
    expect(() => ask('small/zzz')).toThrow('cannot use');
    expect(() => ask('small/zzz', withRest)).toThrow('cannot use');
    expect(() => ask('router/dear')).toThrow('cannot use');
    expect(ask('embed-small')).toBe('embed-small'); // Whoever takes any name is asked for this one.
  });

  test('is told the first twenty of many', () => {
    const models = Array.from({ length: 25 }, (_, index) => `m${index}`);
    const config = testConfig({});

    expect(() => resolveAllowed('offline', config, { models, tokenName: 'ci' })).toThrow(/m18, m19 and 5 more\.$/);
    expect(listAllowed(config, { models })).toEqual([]);
  });
});

test('a token that is not limited asks for everything', async () => {
  const config = testConfig({});

  expect(resolveAllowed('offline', config, { tokenName: 'ci' }).name).toBe('offline');
  expect(listAllowed(config, {})).toEqual(['offline/offline']);
});
