import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer } from '../../gateway.fixture.ts';

const HI = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const post = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const NO_TOKEN = { authorization: 'none' };

async function openWith(type: 'openai-chat' | 'gemini', config: object = {}) {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider(type, fake.url) }, ...config });
  return { fake, gateway };
}

const CHAT_ANSWER = JSON.stringify({
  id: 'c1',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2 },
});
const ANSWER = {
  candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'm-1',
  responseId: 'c1',
};

test.each([
  '/v1beta/models/fake/m:generateContent',
  '/v1beta/models/fake%2Fm:generateContent',
  '/v1beta/models/fake%2Fm%3AgenerateContent',
  '/v1beta1/publishers/fake/models/m:generateContent',
  '/v1beta1/projects/p/locations/l/publishers/fake/models/m:generateContent',
  '/v1alpha/models/m:generateContent',
  '/v1/models/fake/m:generateContent',
  '/v1/publishers/google/models/m:generateContent',
  '/gateway/v1beta/models/m:generateContent',
])('%s asks the model', async (path) => {
  const { fake, gateway } = await openWith('openai-chat');
  fake.answer({ body: CHAT_ANSWER });

  const { status, body } = await gateway.call(path, post(HI));

  expect({ status, body }).toEqual({ status: 200, body: ANSWER });
  expect(fake.requests[0]!.body).toMatchObject({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
});

test('a stream is server-sent events with alt=sse, and without it one JSON list of the same pieces', async () => {
  const { fake, gateway } = await openWith('openai-chat');
  fake.answer({ body: recordedAnswer('openai-chat', 'text') });

  const sse = await gateway.call('/v1beta/models/m:streamGenerateContent?alt=sse', post(HI));
  const list = await gateway.call('/v1beta/models/m:streamGenerateContent', post(HI));

  expect(sse.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(list.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const pieces = sse.text
    .split('\n\n')
    .slice(0, -1)
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as object);
  expect(pieces.length).toBeGreaterThan(2);
  expect(JSON.parse(list.text)).toEqual(pieces);
});

test('the key is taken from x-goog-api-key and from ?key=, which nobody finds anywhere afterwards', async () => {
  const { fake, gateway } = await openWith('openai-chat');
  const key = gateway.tokenOf.member;
  fake.answer({ body: CHAT_ANSWER });

  const path = '/v1beta/models/fake/m:generateContent';
  expect((await gateway.call(path, post(HI, { ...NO_TOKEN, 'x-goog-api-key': key }))).status).toBe(200);
  expect((await gateway.call(`${path}?key=${key}`, post(HI, NO_TOKEN))).status).toBe(200);
  expect((await gateway.call(`/v1beta/models?key=${key}`, { headers: NO_TOKEN })).status).toBe(200);
  const errors = [
    await gateway.call(`${path}?key=WRONG-KEY`, post(HI, NO_TOKEN)),
    await gateway.call(`/v1beta/models/nobody/m:generateContent?key=${key}`, post({ contents: 7 }, NO_TOKEN)),
    await gateway.call(`/v1beta/no/where?key=${key}`, post(HI, NO_TOKEN)),
    await gateway.call(`/v1beta/no/where?key=${key}`, { headers: NO_TOKEN }),
    await gateway.call(`/v1beta/no/where?key=${key}`, { method: 'DELETE', headers: NO_TOKEN }),
    await gateway.call(`/v1beta/models/%ff:generateContent?key=${key}`, post(HI, NO_TOKEN)),
  ];
  const seen = [
    gateway.logged,
    fake.requests.map(({ path: asked, headers, text }) => [asked, headers, text]),
    errors.map(({ text }) => text),
    (await gateway.call('/api/gateway/requests')).text,
    (await gateway.call('/api/usage')).text,
    (await gateway.call('/metrics')).text,
  ];

  expect(errors.map(({ status }) => status)).toEqual([401, 400, 404, 404, 401, 400]);
  expect(JSON.stringify(seen)).not.toContain(key);
  expect(JSON.stringify(seen)).not.toContain('WRONG-KEY');
});

test('errors have the form that clients of this protocol read', async () => {
  const { fake, gateway } = await openWith('openai-chat');
  fake.answer({ status: 429, headers: { 'retry-after': '7' }, body: '{"error":{"message":"slow down"}}' });
  const path = '/v1beta/models/fake/m:generateContent';

  expect((await gateway.call(path, post(HI))).body).toEqual({
    error: {
      code: 429,
      message: 'The provider "fake" answered 429: slow down',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
    },
  });
  expect((await gateway.call(path, post(HI, NO_TOKEN))).body.error).toMatchObject({
    code: 401,
    status: 'UNAUTHENTICATED',
    message: expect.stringContaining('"x-goog-api-key", or as "?key=TOKEN" in the URL.'),
  });
  expect((await gateway.call('/v1beta/token/nobodys/models', post(HI))).body.error?.message).toMatch(
    /^There is nothing at token\/••••••\/models\. /,
  );
  expect((await gateway.call(path, post({ contents: [] }))).body.error).toMatchObject({
    code: 400,
    status: 'INVALID_ARGUMENT',
    message: 'contents: expected at least one turn of the conversation.',
  });
  expect((await gateway.call('/v1beta/models/nobody/m:predict', post(HI))).body.error).toMatchObject({
    code: 404,
    status: 'NOT_FOUND',
    message:
      'There is nothing at models/nobody/m:predict. Use models/NAME:METHOD with the method generateContent, streamGenerateContent, countTokens, embedContent or batchEmbedContents.',
  });
});

test('a stream that breaks off ends with an error that clients try again on, in either form', async () => {
  const { fake, gateway } = await openWith('openai-chat');
  const [first = ''] = recordedAnswer('openai-chat', 'text');
  const second = recordedAnswer('openai-chat', 'text')[1]!;
  fake.answer({ body: [first, second], isCut: true });

  const sse = await gateway.call('/v1beta/models/m:streamGenerateContent?alt=sse', post(HI));
  const list = await gateway.call('/v1beta/models/m:streamGenerateContent', post(HI));

  const last = JSON.parse(sse.text.trim().split('\n\n').at(-1)!.replace('data: ', '')) as object;
  expect(last).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
  expect((JSON.parse(list.text) as object[]).at(-1)).toEqual(last);
});

test('a call that is turned away is noted with the model that the address names', async () => {
  const { gateway } = await openWith('openai-chat', { limits: { requests: 1 } });
  await gateway.call('/v1beta/models/offline/offline:generateContent', post(HI));
  await gateway.call('/v1beta/models/fake/secret-model:streamGenerateContent', post(HI));

  const { text } = await gateway.call('/api/gateway/requests');

  expect(text).toContain('"route":"fake/secret-model"');
  expect(text).toContain('"dialect":"gemini"');
});

test('tokens are counted about, and by Google where it would answer', async () => {
  const { fake, gateway } = await openWith('openai-chat');
  const path = '/v1beta/models/fake/m:countTokens';

  expect((await gateway.call(path, post(HI))).body).toEqual({ totalTokens: 5 });
  const whole = { generateContentRequest: { ...HI, systemInstruction: 'Be short.' } };
  expect((await gateway.call(path, post(whole))).body).toEqual({ totalTokens: 12 });
  expect(fake.requests).toEqual([]);

  const google = await openWith('gemini');
  google.fake.answer({ body: '{"totalTokens":31,"promptTokensDetails":[]}' });
  expect((await google.gateway.call(path, post(whole))).body).toEqual({ totalTokens: 31 });
  expect(google.fake.requests[0]).toMatchObject({
    path: '/v1/models/m:countTokens',
    body: { generateContentRequest: { model: 'models/m', ...whole.generateContentRequest } },
  });
  google.fake.answer({ status: 404, body: '{}' });
  expect((await google.gateway.call(path, post(HI))).body).toEqual({ totalTokens: 5 });
});

const content = (text: string) => ({ model: 'models/x', content: { parts: [{ text }] } });
test('vectors are made by a provider of OpenAI’s protocol, one or several at once', async () => {
  const { fake, gateway } = await openWith('openai-chat');
  const vectors = (...data: number[][]) => JSON.stringify({ data: data.map((embedding) => ({ embedding })) });

  fake.answer({ body: vectors([0.5, 0.25]) });
  const one = await gateway.call(
    '/v1beta/models/fake/e:embedContent',
    post({ ...content('a'), outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' }),
  );
  fake.answer({ body: vectors([1, 0], [0, 1]) });
  const two = await gateway.call(
    '/v1beta/models/fake/e:batchEmbedContents',
    post({ requests: [content('a'), content('b')] }),
  );

  expect(one.body).toEqual({ embedding: { values: [0.5, 0.25] } });
  expect(two.body).toEqual({ embeddings: [{ values: [1, 0] }, { values: [0, 1] }] });
  expect(fake.requests.map(({ body }) => body)).toEqual([
    { model: 'e', input: ['a'], dimensions: 2 },
    { model: 'e', input: ['a', 'b'] },
  ]);
  const refused = await gateway.call('/v1beta/models/offline/offline:embedContent', post(content('a')));
  expect(refused.status).toBe(404);
});

test('vectors of Google are asked for in its own words, without secrets', async () => {
  const { fake, gateway } = await openWith('gemini', { routes: { embedding: ['fake/gemini-embedding-001'] } });
  fake.answer({ body: '{"embeddings":[{"values":[1,2]}]}' });

  const { body } = await gateway.call(
    '/v1beta/models/some-model:batchEmbedContents',
    post({ requests: [{ ...content(`key ghp_${'a1B2'.repeat(9)}`), task_type: 'RETRIEVAL_QUERY' }] }),
  );

  expect(body).toEqual({ embeddings: [{ values: [1, 2] }] });
  expect(fake.requests[0]).toMatchObject({
    path: '/v1/models/gemini-embedding-001:batchEmbedContents',
    body: {
      requests: [
        {
          model: 'models/gemini-embedding-001',
          content: { parts: [{ text: 'key [GITHUB_TOKEN_REDACTED]' }] },
          taskType: 'RETRIEVAL_QUERY',
        },
      ],
    },
  });
});

test('models are listed in pages, and told one by one', async () => {
  const { gateway } = await openWith('openai-chat', {
    providers: { local: { type: 'openai-chat', baseUrl: 'http://127.0.0.1:1', models: ['a/b', 'gemini-x'] } },
    routes: { fast: ['local/a/b'] },
  });
  const names = ({ body }: { body: object }) => (body as { models: { name: string }[] }).models.map(({ name }) => name);

  const all = await gateway.call('/v1beta/models');
  expect(names(all)).toEqual(['models/fast', 'models/offline/offline', 'models/local/a/b', 'models/local/gemini-x']);
  expect(all.body).not.toHaveProperty('nextPageToken');
  const first = await gateway.call('/v1beta/models?pageSize=3');
  expect(first.body).toMatchObject({ nextPageToken: '3' });
  expect(names(await gateway.call('/v1beta/models?pageSize=3&pageToken=3'))).toEqual(['models/local/gemini-x']);
  expect((await gateway.call('/v1beta/models?pageToken=x')).status).toBe(400);
  expect((await gateway.call('/v1beta/models/local/gemini-x')).body).toEqual({
    name: 'models/local/gemini-x',
    version: '1',
    displayName: 'local/gemini-x',
    description: 'local/gemini-x',
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  });
  expect((await gateway.call('/v1beta/models/nobody/x')).body.error).toMatchObject({ code: 404, status: 'NOT_FOUND' });
});
