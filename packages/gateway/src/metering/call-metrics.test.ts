import { newId } from '@dragoman/protocol';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { createModel } from '../create-model.ts';
import { openTestGateway, provider, type TestGateway } from '../gateway.fixture.ts';

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const chat = (model: string, more: object = {}) =>
  post({ model, messages: [{ role: 'user', content: 'a secret question' }], ...more });

/** What Prometheus reads, by series; histograms by their counts. */
async function scrape(gateway: TestGateway, role: 'admin' | 'viewer' = 'admin'): Promise<Record<string, number>> {
  const { text } = await gateway.call('/metrics', { headers: { authorization: `Bearer ${gateway.tokenOf[role]}` } });
  expect(text).not.toContain('secret question');
  const lines = text.split('\n').filter((line) => line.startsWith('dragoman_gateway_') && !line.includes('_bucket'));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice('dragoman_gateway_'.length, space), Number(line.slice(space + 1))];
    }),
  );
}

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 30,
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 10 },
};
const EVENTS = [
  '{"id":"c","choices":[{"delta":{"content":"Hi"}}]}',
  '{"id":"c","choices":[{"delta":{},"finish_reason":"stop"}]}',
  JSON.stringify({ id: 'c', choices: [], usage: USAGE }),
];
const STREAM = [...EVENTS.map((event) => `data: ${event}\n\n`), 'data: [DONE]\n\n'];
const prices = { m: { input: 10, output: 100, cacheRead: 1 } };

test('tokens that add up, cost and times of a call are told by dialect and target', async () => {
  const fake = await startFakeProvider();
  fake.answer({ body: STREAM });
  const gateway = await openTestGateway({ providers: { fake: { ...provider('openai-chat', fake.url), prices } } });

  await gateway.call('/v1/chat/completions', chat('fake/m', { stream: true }));
  await gateway.call('/chat-stream', post({ model: 'fake/m', message: 'x' }));
  const told = await scrape(gateway);

  for (const dialect of ['openai-chat', 'augment']) {
    const by = `dialect="${dialect}",target="fake/m"`;
    expect(told).toMatchObject({
      [`calls_total{${by},result="ok"}`]: 1,
      [`tokens_total{${by},kind="input"}`]: 40,
      [`tokens_total{${by},kind="cache_read"}`]: 60,
      [`tokens_total{${by},kind="output"}`]: 20,
      [`tokens_total{${by},kind="reasoning"}`]: 10,
      [`first_token_seconds_count{${by}}`]: 1,
      [`call_seconds_count{${by}}`]: 1,
    });
    expect(told[`cost_dollars_total{${by}}`]).toBeCloseTo(0.00346, 8);
  }
  expect(told).toMatchObject({
    'client_calls_total{client="owner/admin token",dialect="augment",result="ok"}': 1,
    'client_tokens_total{client="owner/admin token",kind="cache_read"}': 120,
    calls_in_flight: 0,
  });
});

test('who may only look is not told whose calls they were', async () => {
  const gateway = await openTestGateway();
  await gateway.call('/v1/chat/completions', chat('offline/offline'));

  const told = Object.keys(await scrape(gateway, 'viewer'));
  expect(told).toContain('calls_total{dialect="openai-chat",target="offline/offline",result="ok"}');
  expect(told).not.toContain('unpriced_calls_total{dialect="openai-chat",target="offline/offline"}');
  expect(told.filter((series) => series.includes('client') || series.includes('owner'))).toEqual([]);
});

test('errors are told by target and client, and a target that failed also where another one answered', async () => {
  const [broken, fake] = [await startFakeProvider(), await startFakeProvider()];
  broken.answer({ status: 500, body: '{}' });
  fake.answer({ body: STREAM });
  const gateway = await openTestGateway({
    providers: { broken: provider('openai-chat', broken.url), fake: provider('openai-chat', fake.url) },
    routes: { both: { targets: ['broken/b', 'fake/m'] } },
  });

  await gateway.call('/v1/chat/completions', chat('both', { stream: true }));
  await gateway.call('/v1/chat/completions', chat('broken/b'));
  await gateway.call('/v1/chat/completions', post({ model: 'fake/m' }));
  await gateway.call('/v1/messages', post({ model: 'fake/m', max_tokens: 1, messages: 7 }));

  const told = await scrape(gateway);
  expect(told).toMatchObject({
    'calls_total{dialect="openai-chat",target="fake/m",result="ok"}': 1,
    'calls_total{dialect="openai-chat",target="broken/other",result="error"}': 1,
    'errors_total{dialect="openai-chat",target="broken/other",code="unavailable"}': 1,
    'client_errors_total{client="owner/admin token",target="broken/other",code="unavailable"}': 1,
    'calls_total{dialect="anthropic-messages",target="none",result="refused"}': 1,
    'client_errors_total{client="owner/admin token",target="none",code="bad-request"}': 1,
  });
  expect(told['target_failures_total{target="broken/other",code="unavailable"}']).toBeGreaterThanOrEqual(2);
});

test('names that clients make up make no series', async () => {
  const fake = await startFakeProvider();
  fake.answer({ status: 404, body: '{}' });
  const gateway = await openTestGateway({
    providers: { fake: provider('openai-chat', fake.url) },
    limits: { requests: 1000 },
  });
  for (let number = 0; number < 20; number++)
    await gateway.call('/v1/chat/completions', chat(`fake/made-up-${number}`));

  const told = await scrape(gateway);
  expect(Object.keys(told).filter((series) => series.includes('made-up'))).toEqual([]);
  expect(told['calls_total{dialect="openai-chat",target="fake/other",result="error"}']).toBe(20);
});

test('vectors, recordings and calls of agents are counted as others are', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });
  fake.answer(
    { body: '{"data":[{"embedding":[1]}],"usage":{"prompt_tokens":7}}' },
    { body: '{"text":"Hi","usage":{"input_tokens":14,"output_tokens":5}}' },
    { body: STREAM },
  );

  await gateway.call('/v1/embeddings', post({ model: 'fake/e', input: 'x' }));
  const form = new FormData();
  form.set('model', 'fake/w');
  form.set('file', new File(['sound'], 'a.wav'));
  await gateway.call('/v1/audio/transcriptions', { method: 'POST', body: form });
  const caller = { userId: newId('usr'), userName: 'ada', tokenName: 'native' };
  const model = createModel('fake/m', gateway.config, { notes: { book: gateway.book, caller } });
  await model.stream({ prompt: [], tools: [] }, { push() {} }, new AbortController().signal);

  expect(await scrape(gateway)).toMatchObject({
    'tokens_total{dialect="embeddings",target="fake/e",kind="input"}': 7,
    'tokens_total{dialect="transcription",target="fake/w",kind="input"}': 14,
    'tokens_total{dialect="transcription",target="fake/w",kind="output"}': 5,
    'unpriced_calls_total{dialect="transcription",target="fake/w"}': 1,
    'calls_total{dialect="agent",target="fake/m",result="ok"}': 1,
    'client_calls_total{client="ada/native",dialect="agent",result="ok"}': 1,
    calls_in_flight: 0,
  });
});

test('calls that are being answered are told while they are', async () => {
  const fake = await startFakeProvider();
  const held = Promise.withResolvers<void>();
  fake.answer({ body: [STREAM[0]!, held.promise, ...STREAM.slice(1)] });
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });

  const answer = gateway.call('/v1/chat/completions', chat('fake/m', { stream: true }));
  await fake.request(1);
  expect((await scrape(gateway))['calls_in_flight']).toBe(1);
  held.resolve();
  await answer;
  await expect.poll(async () => (await scrape(gateway))['calls_in_flight']).toBe(0);
});
