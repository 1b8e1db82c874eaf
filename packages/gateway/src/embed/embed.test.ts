import { DragomanError, newId } from '@dragoman/protocol';
import { fakeEmbeddings, startFakeProvider } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { provider, testConfig } from '../gateway.fixture.ts';
import { openCallBook } from '../metering/call-book.ts';
import { UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { embed, type EmbedOptions } from './embed.ts';

const CALLER = { userId: newId('usr'), userName: 'ada', tokenName: 'index' } as const;
/** A text with a number in it lies in that direction. */
const AXES = fakeEmbeddings({ vectorOf: (text) => [0, 1, 2, 3].map((axis) => (text.includes(`${axis}`) ? 1 : 0)) });

/** A provider on this machine, a book of calls and what was noted in it. */
async function setUp(given: object = {}, type: UpstreamKind = 'openai-chat') {
  const fake = await startFakeProvider();
  fake.answer(AXES);
  const upstreams = new UpstreamRegistry();
  onTestFinished(() => upstreams.close());
  const { providers } = testConfig({
    providers: { fake: { ...provider(type, fake.url), apiKey: 'key-number-one', ...given } },
  });
  const book = openCallBook({});
  const noted: Record<string, unknown>[] = [];
  book.calls.listen((json) => noted.push(JSON.parse(json) as Record<string, unknown>));
  const ask = (texts: readonly string[], options: Partial<EmbedOptions> = {}) =>
    embed(texts, {
      model: 'fake/embed-1',
      providers,
      upstreams,
      isRedacted: true,
      notes: { book, caller: CALLER },
      signal: new AbortController().signal,
      ...options,
    });
  return { fake, ask, noted };
}

const inputs = (requests: readonly { body: Record<string, unknown> }[]) =>
  requests.map(({ body }) => body['input'] as string[]);

test('texts come back as vectors, in their order, and the call is noted without them', async () => {
  const { fake, ask, noted } = await setUp();

  expect(await ask(['axis 2', 'axis 0'])).toEqual([Float32Array.of(0, 0, 1, 0), Float32Array.of(1, 0, 0, 0)]);

  expect(fake.requests).toMatchObject([
    {
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer key-number-one' },
      body: { model: 'embed-1', input: ['axis 2', 'axis 0'] },
    },
  ]);
  expect(noted).toMatchObject([
    {
      userName: 'ada',
      tokenName: 'index',
      dialect: 'embeddings',
      route: 'fake/embed-1',
      target: 'fake/embed-1',
      inputTokens: 4,
      outputTokens: 0,
      finishReason: 'stop',
    },
  ]);
  expect(JSON.stringify(noted)).not.toContain('axis');
});

test('nothing is asked for no texts', async () => {
  const { fake, ask } = await setUp();
  expect(await ask([])).toEqual([]);
  expect(fake.requests).toEqual([]);
});

test('a model that may be told is asked for so many numbers', async () => {
  const { fake, ask } = await setUp();
  expect(await ask(['axis 1'], { dimensions: 2 })).toEqual([Float32Array.of(0, 1)]);
  expect(fake.requests[0]!.body).toMatchObject({ dimensions: 2 });
});

test('vectors that come as bytes, or in another order, are read as well', async () => {
  const { fake, ask } = await setUp();
  const bytes = Buffer.from(Float32Array.of(0.5, -2).buffer).toString('base64');
  const data = [
    { index: 1, embedding: [3, 4] },
    { index: 0, embedding: bytes },
  ];
  fake.answer({ body: JSON.stringify({ data }) });
  expect(await ask(['a', 'b'])).toEqual([Float32Array.of(0.5, -2), Float32Array.of(3, 4)]);
});

test('many texts are asked for in batches, and each gets its own vector', async () => {
  const { fake, ask } = await setUp();
  const texts = Array.from({ length: 500 }, (_, at) => `text of axis ${'abcd'[at % 4]} ${at % 4}`);

  const vectors = await ask(texts);

  expect(vectors.map((vector) => vector.indexOf(1))).toEqual(texts.map((_, at) => at % 4));
  expect(new Set(inputs(fake.requests).map(({ length }) => length))).toEqual(new Set([96, 20]));
  expect(fake.requests).toHaveLength(6);
});

test('a model that takes less than a text is given its beginning', async () => {
  const { fake, ask } = await setUp();
  fake.answer(fakeEmbeddings({ vectorOf: () => [1, 0], mostTokens: 512 }));

  expect(await ask([`begin ${'word '.repeat(10_000)}`, 'short'])).toHaveLength(2);

  const sent = inputs(fake.requests);
  expect(sent.map(([long]) => long!.length)).toEqual([8_000, 2_000]);
  expect(sent.at(-1)![0]).toMatch(/^begin word /);
  expect(sent.at(-1)![1]).toBe('short');
});

test('a provider that is busy or down for a moment is asked again, after the time it asks for', async () => {
  const { fake, ask, noted } = await setUp();
  fake.answer(
    { status: 429, headers: { 'retry-after-ms': '1' }, body: '{"error":{"message":"Rate limit reached"}}' },
    { status: 503, headers: { 'retry-after': '0' }, body: '' },
    AXES,
  );

  expect(await ask(['axis 3'])).toEqual([Float32Array.of(0, 0, 0, 1)]);
  expect(fake.requests).toHaveLength(3);
  expect(noted).toMatchObject([{ finishReason: 'stop' }]);
});

test('a provider that stays busy is given up', async () => {
  const { fake, ask } = await setUp();
  fake.answer({ status: 429, headers: { 'retry-after-ms': '1' }, body: '{"error":{"message":"Rate limit reached"}}' });

  await expect(ask(['axis 3'])).rejects.toMatchObject({
    code: 'rate-limited',
    isRetryable: true,
    message:
      'fake/embed-1 could not create embeddings: The provider "fake" answered 429: Rate limit reached. Try again later, or raise the limit of the account.',
  });
  expect(fake.requests).toHaveLength(5);
});

test.each([
  [{ status: 429, headers: { 'retry-after': '3600' }, body: '' }, 'rate-limited', 'answered 429. Try again later'],
  [
    { status: 401, body: '{"error":{"message":"key-number-one is wrong"}}' },
    'forbidden',
    '[REDACTED] is wrong. Check its key.',
  ],
  [
    { status: 404, body: '{"error":{"message":"no such model"}}' },
    'not-found',
    'no such model. Check that it has a model of this name.',
  ],
  [
    { status: 400, body: '{"error":{"message":"odd"}}' },
    'bad-request',
    'odd. Check the model and, where they are set, its dimensions.',
  ],
  [{ body: '<html>' }, 'unavailable', 'The provider "fake" did not return vectors. Check that it is running'],
  [{ body: '{"data":[]}' }, 'unavailable', 'The provider "fake" returned 0 vectors for 2 texts.'],
  [
    { body: '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}' },
    'unavailable',
    'returned 2 vectors for 2 texts',
  ],
  [
    { body: '{"data":[{"embedding":[1]},{"embedding":["x"]}]}' },
    'unavailable',
    'returned a vector that is not made of numbers.',
  ],
  [
    { body: '{"data":[{"embedding":[1]},{"embedding":[1,2]}]}' },
    'unavailable',
    'a vector of 2 numbers where 1 were expected.',
  ],
] as const)('what does not pass by itself is told at once: %j', async (answer, code, message) => {
  const { fake, ask, noted } = await setUp();
  fake.answer(answer);

  const error = await ask(['a', 'b']).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(DragomanError);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) as string });
  expect((error as Error).message).toMatch(/^fake\/embed-1 could not create embeddings: /);
  expect(fake.requests).toHaveLength(1);
  expect(noted).toMatchObject([{ finishReason: 'error', errorCode: code }]);
});

test('a model that answers with another number of numbers than was set is refused', async () => {
  const { fake, ask } = await setUp();
  fake.answer({ body: '{"data":[{"embedding":[1,2,3]}]}' });

  await expect(ask(['a'], { dimensions: 256 })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('returned a vector of 3 numbers where 256 were expected') as string,
  });
});

test('keys and tokens in the texts stay here, unless that was turned off', async () => {
  const { fake, ask, noted } = await setUp();
  const text = `const key = "sk-proj-${'a'.repeat(30)}"; // 1`;

  await ask([text]);
  await ask([text], { isRedacted: false });

  expect(inputs(fake.requests)).toEqual([['const key = "[API_KEY_REDACTED]"; // 1'], [text]]);
  expect(noted).toMatchObject([{ redactions: 1 }, { redactions: 0 }]);
});

test('a name that leads to nobody who could do it is refused with what would help', async () => {
  const { ask } = await setUp({}, 'anthropic-messages');
  const message = (problem: string) => ({
    code: 'config-invalid',
    message: expect.stringContaining(`cannot create embeddings: ${problem}. Use another "provider/model".`) as string,
  });

  await expect(ask(['a'], { model: 'ghost/e' })).rejects.toMatchObject(message('there is no provider named "ghost"'));
  await expect(ask(['a'])).rejects.toMatchObject(
    message(
      'the provider "fake" has the type "anthropic-messages"; embeddings need a provider of type "openai-chat", "openai-responses" or "ollama"',
    ),
  );
  await expect(ask(['a'], { model: 'offline/offline' })).rejects.toMatchObject(
    message('the offline model cannot create embeddings; without a setting, the built-in vectors work offline'),
  );
});

test('providers that keep it elsewhere are asked there', async () => {
  const azure = await setUp({ path: '/openai/deployments/{model}/chat/completions', query: { v: '1' } });
  await azure.ask(['a'], { model: 'fake/my model' });
  expect(azure.fake.requests[0]!.path).toBe('/v1/openai/deployments/my%20model/embeddings?v=1');

  const ollama = await setUp({}, 'ollama');
  await ollama.ask(['a']);
  expect(ollama.fake.requests[0]!.path).toBe('/v1/embeddings');
});

test('whoever waits may leave, and nobody waits for ever', async () => {
  const { fake, ask, noted } = await setUp();
  const never = Promise.withResolvers<void>();
  onTestFinished(() => never.resolve());
  fake.answer({ body: [never.promise] });
  const leaving = new AbortController();

  const left = ask(['a'], { signal: leaving.signal });
  const request = await fake.request(1);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  expect(await request.ended).toBe('left');

  await expect(ask(['a'], { limitMs: 20 })).rejects.toMatchObject({
    code: 'timed-out',
    message: 'fake/embed-1 did not create embeddings in time (limit: 20 ms).',
  });
  await expect(ask(['a'], { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
    code: 'timed-out',
    message: 'fake/embed-1 did not create embeddings in time.',
  });
  expect(noted.map(({ finishReason }) => finishReason)).toEqual(['cancelled', 'error', 'error']);
});

test('where time runs out while it is asked again, what the provider said is told', async () => {
  const { fake, ask } = await setUp();
  const never = Promise.withResolvers<void>();
  onTestFinished(() => never.resolve());
  const told = {
    code: 'unavailable',
    message:
      'fake/embed-1 could not create embeddings: The provider "fake" answered 500: boom. Check that it is running and can create embeddings.',
  };
  const failing = { status: 500, headers: { 'retry-after': '20' }, body: '{"error":{"message":"boom"}}' };

  fake.answer(failing);
  await expect(ask(['a'], { limitMs: 3_000 })).rejects.toMatchObject(told);
  fake.answer(failing);
  await expect(ask(['a'], { signal: AbortSignal.timeout(3_000) })).rejects.toMatchObject(told);
  fake.answer({ ...failing, headers: { 'retry-after': '0' } }, { body: [never.promise] });
  await expect(ask(['a'], { limitMs: 3_000 })).rejects.toMatchObject(told);
});

test('a provider that cannot be reached is told with what the system says, also when time runs out', async () => {
  const { ask } = await setUp({ baseUrl: 'http://127.0.0.1:1/v1' });
  await expect(ask(['a'], { signal: AbortSignal.timeout(3_000) })).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'fake/embed-1 could not create embeddings: The provider "fake" cannot be reached: ECONNREFUSED. Check that it is running and can create embeddings.',
  });
});

test('whoever leaves between two attempts is told no reason', async () => {
  const { fake, ask } = await setUp();
  fake.answer({ status: 500, headers: { 'retry-after': '20' }, body: '' });
  const leaving = new AbortController();

  const left = ask(['a'], { signal: leaving.signal });
  await (
    await fake.request(1)
  ).ended;
  leaving.abort();

  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
});
