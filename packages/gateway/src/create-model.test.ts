import { DragomanError, gatherAnswer, type ModelMessage, newId } from '@dragoman/protocol';
import type { RequestInfo } from '@dragoman/protocol/console';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createModel } from './create-model.ts';
import { recordedAnswer, type TestGateway } from './gateway.fixture.ts';
import { openManaged, SECRET } from './manage/manage.fixture.ts';
import type { UsageTables } from './metering/usage-tables.ts';
import { UpstreamRegistry } from './upstreams/upstream-registry.ts';

const PROMPT = 'the password of the harbour is heron';
const LEAKED = `sk-${'b2'.repeat(15)}`;

/** A model of the gateway. Its calls are noted as those of ada's native agent, unless the test wants none noted. */
function modelOf({ book, config }: TestGateway, name: string, isNoted = true) {
  const upstreams = new UpstreamRegistry();
  onTestFinished(() => upstreams.close());
  const caller = { userId: newId('usr'), userName: 'ada', tokenName: 'native' };
  const model = createModel(name, config, { upstreams, notes: isNoted ? { book, caller } : undefined });
  return async (asked: string | UserContent, signal = AbortSignal.timeout(60_000)) => {
    const gathered = gatherAnswer();
    const content: UserContent = typeof asked === 'string' ? [{ type: 'text', text: asked }] : asked;
    await model.stream({ prompt: [{ role: 'user', content }], tools: [] }, gathered, signal);
    return gathered.answer;
  };
}

type UserContent = Extract<ModelMessage, { role: 'user' }>['content'];

/** What whoever watches is told. */
function watch({ book }: TestGateway): RequestInfo[] {
  const told: RequestInfo[] = [];
  onTestFinished(book.calls.listen((json) => told.push(JSON.parse(json) as RequestInfo)));
  return told;
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('BYOK-24 the call of an agent is kept and told like that of a client, with what it cost and never what was said', async () => {
    const { gateway, fake, ask } = await openManaged({}, engine);
    gateway.config.providers['fake']!.prices = { m: { input: 1000, output: 2000, cacheRead: 0 } };
    const told = watch(gateway);

    await modelOf(gateway, '')(`${PROMPT} ${LEAKED}`);

    expect(fake.requests[0]!.text).not.toContain(LEAKED);
    const request = {
      id: expect.stringMatching(/^call_/),
      at: expect.any(Number),
      userName: 'ada',
      tokenName: 'native',
      dialect: 'agent',
      route: 'default',
      target: 'fake/m',
      isStreamed: true,
      inputTokens: 30,
      outputTokens: 12,
      costDollars: 0.046,
      firstEventMs: expect.any(Number),
      totalMs: expect.any(Number),
      finishReason: 'stop',
      attempts: 1,
      redactions: 1,
      repairs: 0,
    };
    expect(told).toEqual([request]);
    expect((await ask('listRequests')).requests).toEqual(told);
    const row = {
      calls: 1,
      errors: 0,
      inputTokens: 30,
      outputTokens: 12,
      cacheReadTokens: 8,
      cacheWriteTokens: 0,
      cacheShare: 0.2667,
      costDollars: 0.046,
      redactions: 1,
      repairs: 0,
      unpricedCalls: 0,
      firstEventMs: { median: expect.any(Number), p95: expect.any(Number) },
      totalMs: { median: expect.any(Number), p95: expect.any(Number) },
    };
    const today = new Date(told[0]!.at).toISOString().slice(0, 10);
    expect((await ask('readUsage', { by: 'day' })).rows).toEqual([{ key: today, ...row }]);
    expect((await ask('readUsage', { by: 'model' })).rows).toEqual([{ key: 'fake/m', ...row }]);
    expect((await ask('readUsage', { by: 'token' })).rows).toEqual([{ key: 'ada/native', ...row }]);
    const { providers, counters } = await ask('readGateway');
    expect(providers[0]).toMatchObject({ name: 'fake', lastSuccessAt: told[0]!.at });
    expect(counters).toMatchObject({ calls: 1, failed: 0, refused: 0, redactions: 1 });
    for (const secret of [PROMPT, LEAKED, SECRET, 'Grüße'])
      expect(
        JSON.stringify([told, await gateway.store.tables<UsageTables>().selectFrom('usage_log').selectAll().execute()]),
      ).not.toContain(secret);
  });

  test('a provider that fails an agent is known for it, and so is the one that took over', async () => {
    const { gateway, fake, ask } = await openManaged({}, engine);
    gateway.config.routes['default'] = ['fake/m', 'offline/offline'];
    fake.answer({ status: 503, body: `{"error":{"message":"${SECRET}"}}` });
    const told = watch(gateway);

    expect((await modelOf(gateway, 'default')(PROMPT)).error).toBeUndefined();
    expect((await modelOf(gateway, 'fake/m')(PROMPT)).error).toMatchObject({ code: 'unavailable' });

    expect(told).toMatchObject([
      { route: 'default', target: 'offline/offline', finishReason: 'stop', attempts: 2 },
      { route: 'fake/m', target: 'fake/m', finishReason: 'error', errorCode: 'unavailable', attempts: 1 },
    ]);
    expect(told[0]).toHaveProperty('costDollars', 0);
    expect((await ask('listRequests')).requests).toEqual(told.toReversed());
    const { providers, counters } = await ask('readGateway');
    expect(providers).toMatchObject([
      { name: 'fake', lastError: { code: 'unavailable' } },
      { name: 'offline', lastSuccessAt: told[0]!.at },
    ]);
    expect(counters).toMatchObject({ calls: 2, failed: 1 });
    expect(JSON.stringify(told)).not.toContain(SECRET);
  });
});

test('an error in the middle of an answer is the end of the call, with what had come before', async () => {
  const { gateway, fake } = await openManaged();
  fake.answer({
    body: [...recordedAnswer('openai-chat', 'text').slice(0, 2), 'data: {"error":{"message":"overloaded"}}\n\n'],
  });
  const told = watch(gateway);

  const { error } = await modelOf(gateway, 'default')(PROMPT);

  expect(told).toMatchObject([{ finishReason: 'error', errorCode: error!.code, firstEventMs: expect.any(Number) }]);
  expect(gateway.book.calls.providerState('fake').lastError).toMatchObject({ code: error!.code });
});

/** Why an agent calls its model off, how the call is noted then, and whether that tells something of the provider. */
const ENDINGS = [
  { why: 'a person stops it', reason: new DOMException('stopped', 'AbortError'), noted: { finishReason: 'cancelled' } },
  {
    why: 'it waited too long',
    reason: new DragomanError('timed-out', 'The model said nothing for 5 s.'),
    noted: { finishReason: 'error', errorCode: 'timed-out' },
    lastError: { at: expect.any(Number), code: 'timed-out' },
  },
];

test.each(ENDINGS)('a call that an agent calls off because $why is noted so', async ({ reason, noted, lastError }) => {
  const { gateway, fake } = await openManaged();
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  fake.answer({ body: [...recordedAnswer('openai-chat', 'text').slice(0, 2), held.promise] });
  const told = watch(gateway);
  const ending = new AbortController();

  const asked = modelOf(gateway, 'default')(PROMPT, ending.signal);
  const request = await fake.request(1);
  ending.abort(reason);
  await asked;

  expect(await request.ended).toBe('left');
  expect(told).toMatchObject([noted]);
  expect(gateway.book.calls.providerState('fake').lastError).toEqual(lastError);
});

test('what no provider may be asked is turned away, and counts as refused', async () => {
  const { gateway, fake } = await openManaged();
  gateway.config.providers['fake']!.images = false;

  const { error } = await modelOf(
    gateway,
    'default',
  )([{ type: 'file', mediaType: 'image/png', data: { type: 'base64', base64: 'AAAA' } }]);

  expect(error).toMatchObject({ code: 'bad-request' });
  expect(fake.requests).toEqual([]);
  expect(gateway.book.calls.counters).toEqual({ calls: 0, failed: 0, refused: 1 });
  expect(gateway.book.calls.providerState('fake')).toEqual({});
});

test('a model whose calls are not noted answers all the same', async () => {
  const { gateway } = await openManaged();

  expect(await modelOf(gateway, 'default', false)(PROMPT)).toMatchObject({ finishReason: 'stop' });

  expect(gateway.book.calls.counters).toEqual({ calls: 0, failed: 0, refused: 0 });
});

test('a name that nobody has is an error in the answer, and no call', async () => {
  const { gateway } = await openManaged();
  gateway.config.providers['fake']!.models = ['m'];

  expect((await modelOf(gateway, 'nobody/has-this')(PROMPT)).error).toMatchObject({ code: 'not-found' });

  expect(gateway.book.calls.counters).toEqual({ calls: 0, failed: 0, refused: 0 });
});
