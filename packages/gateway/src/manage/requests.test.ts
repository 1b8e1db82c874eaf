import { createConsoleClient, type RequestInfo } from '@dragoman/protocol/console';
import { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type TestGateway, recordedAnswer } from '../gateway.fixture.ts';
import { openManaged, post, SECRET } from './manage.fixture.ts';

const PROMPT = 'the password of the harbour is heron';

/** Follows the log as the console does, once it is live. */
async function follow(gateway: TestGateway) {
  const stop = new AbortController();
  const client = createConsoleClient({ url: gateway.url, token: gateway.tokenOf.admin });
  const live = Promise.withResolvers<void>();
  const seen: RequestInfo[] = [];
  let wake = () => {};
  const following = client.followRequests({
    signal: stop.signal,
    onState: ({ type }) => type === 'live' && live.resolve(),
    onRequest(request) {
      seen.push(request);
      wake();
    },
  });
  onTestFinished(async () => {
    stop.abort();
    await following;
  });
  await live.promise;
  return {
    seen,
    client,
    async until(count: number) {
      while (seen.length < count) await new Promise<void>((resolve) => (wake = resolve));
      return seen;
    },
  };
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('BYOK-24 calls are listed and told as they end, with who and how much and never what was said', async () => {
    const { gateway, fake, ask } = await openManaged({}, engine);
    const { until } = await follow(gateway);

    await gateway.call('/chat-stream', post({ message: PROMPT }));
    fake.answer({ status: 401, body: `{"error":{"message":"${SECRET}"}}` });
    const asMember = { authorization: `Bearer ${gateway.tokenOf.member}` };
    await gateway.call(
      '/v1/chat/completions',
      post({ model: 'fake/m', messages: [{ role: 'user', content: PROMPT }] }, asMember),
    );

    const seen = await until(2);
    const { requests } = await ask('listRequests');
    expect(requests).toEqual(seen.toReversed());
    expect(requests).toEqual([
      {
        id: expect.stringMatching(/^call_/),
        at: expect.any(Number),
        userName: 'owner',
        tokenName: 'member token',
        dialect: 'openai-chat',
        route: 'fake/m',
        target: 'fake/m',
        isStreamed: false,
        totalMs: expect.any(Number),
        finishReason: 'error',
        errorCode: 'forbidden',
        attempts: 1,
        redactions: 0,
        repairs: 0,
      },
      {
        id: expect.stringMatching(/^call_/),
        at: expect.any(Number),
        userName: 'owner',
        tokenName: 'admin token',
        dialect: 'augment',
        route: 'default',
        target: 'fake/m',
        isStreamed: true,
        inputTokens: 30,
        outputTokens: 12,
        firstEventMs: expect.any(Number),
        totalMs: expect.any(Number),
        finishReason: 'stop',
        attempts: 1,
        redactions: 0,
        repairs: 0,
      },
    ]);
    for (const secret of [PROMPT, SECRET, 'Grüße']) expect(JSON.stringify([seen, requests])).not.toContain(secret);
    expect(await ask('listRequests', { limit: 1 })).toEqual({ requests: [requests[0]] });
  });

  test('a cost that nobody knows is no cost of nothing, and a sum says what is not in it', async () => {
    const { gateway, fake, ask } = await openManaged({}, engine);
    const say = async (
      model: string,
      status = 200,
      usage: object | null = { prompt_tokens: 900, completion_tokens: 100 },
    ) => {
      const choice = { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' };
      fake.answer({ status, body: JSON.stringify({ id: 'c', object: 'chat.completion', choices: [choice], usage }) });
      await gateway.call('/v1/chat/completions', post({ model, messages: [{ role: 'user', content: 'hi' }] }));
    };
    const costs = async (by: 'day' | 'model') =>
      (await ask('readUsage', { by })).rows.map(({ key, costDollars, unpricedCalls }) => [
        by === 'day' ? 'today' : key,
        costDollars,
        unpricedCalls,
      ]);

    await say('fake/nothing', 400);
    await say('offline/offline');
    expect(await costs('day')).toEqual([['today', 0, 0]]); // What failed, and the offline model, cost nothing.
    await say('fake/unknown');
    await say('fake/silent', 200, null);
    expect(await costs('day')).toEqual([['today', null, 2]]);
    gateway.config.providers['fake']!.prices = { priced: { input: 10, output: 10 }, free: { input: 0, output: 0 } };
    await say('fake/free');
    expect(await costs('day')).toEqual([['today', null, 2]]);
    await say('fake/priced');

    expect(await costs('day')).toEqual([['today', 0.01, 2]]);
    expect(await costs('model')).toEqual([
      ['fake/free', 0, 0],
      ['fake/nothing', 0, 0],
      ['fake/priced', 0.01, 0],
      ['fake/silent', null, 1],
      ['fake/unknown', null, 1],
      ['offline/offline', 0, 0],
    ]);
  });

  test('usage by day, model, route and token has the share of the cache, text for a key and numbers for the rest', async () => {
    const { gateway, ask } = await openManaged({}, engine);
    await gateway.call('/chat-stream', post({ message: PROMPT }));
    const row = {
      calls: 1,
      errors: 0,
      inputTokens: 30,
      outputTokens: 12,
      cacheReadTokens: 8,
      cacheWriteTokens: 0,
      cacheShare: 0.2667,
      costDollars: null,
      unpricedCalls: 1,
      redactions: 0,
      repairs: 0,
    };
    const today = new Date().toISOString().slice(0, 10);

    expect(await ask('readUsage')).toEqual({ by: 'day', days: 30, rows: [{ key: today, ...row }] });
    expect(await ask('readUsage', { by: 'model', days: 1 })).toEqual({
      by: 'model',
      days: 1,
      rows: [{ key: 'fake/m', ...row }],
    });
    expect(await ask('readUsage', { by: 'route' })).toMatchObject({ rows: [{ key: 'default', ...row }] });
    expect(await ask('readUsage', { by: 'token' })).toMatchObject({ rows: [{ key: 'owner/admin token', ...row }] });
    const ann = await gateway.tokens.openUser('ann', 'member');
    const annsToken = { user: ann, name: "ann's", role: 'member', expiresAt: null } as const;
    const headers = { authorization: `Bearer ${(await gateway.tokens.createToken(annsToken)).text}` };
    await gateway.call('/chat-stream', post({ message: PROMPT }, headers));
    const seenByAnn = await gateway.call('/api/usage?by=token', { headers });
    expect(seenByAnn.body).toMatchObject({
      rows: [
        { key: '', calls: 1 },
        { key: "ann/ann's", calls: 1 },
      ],
    });
    expect(await ask('readUsage', { by: 'token' })).toMatchObject({
      rows: [{ key: "ann/ann's" }, { key: 'owner/admin token' }],
    });
    expect((await gateway.call('/api/usage?by=colour')).status).toBe(400);
    expect((await gateway.call('/api/gateway/requests?limit=501')).status).toBe(400);
  });
});

test('calls that were turned away are told and listed, and not stored', async () => {
  const { gateway, ask } = await openManaged({
    limits: { requests: 3 },
    providers: {},
    routes: { default: ['offline/offline'] },
  });
  const { until } = await follow(gateway);
  const chat = (body: object) => gateway.call('/v1/chat/completions', post(body));
  const messages = [{ role: 'user', content: PROMPT }];

  await chat({ model: 'nobody/has-this', stream: true, messages });
  await chat({ model: 'sk-abcdefghijklmnopqrstuvwxyz', stream: PROMPT });
  await gateway.call('/v1/embeddings', post({ model: 'e', input: PROMPT }));
  await gateway.call('/v1/messages', post({ model: 'default', messages }));
  await gateway.call('/v1/messages/count_tokens', post({ messages: PROMPT })); // Asks no model.
  await gateway.call('/v1/chat/completions', post({}, { authorization: 'none' })); // Came from nobody.

  const seen = await until(4);
  const refused = {
    id: expect.stringMatching(/^call_/),
    at: expect.any(Number),
    userName: 'owner',
    tokenName: 'admin token',
    dialect: 'openai-chat',
    route: '',
    target: '',
    isStreamed: false,
    totalMs: expect.any(Number),
    finishReason: 'error',
    attempts: 0,
    redactions: 0,
    repairs: 0,
  };
  expect(seen).toEqual([
    { ...refused, route: 'nobody/has-this', isStreamed: true, errorCode: 'not-found' },
    { ...refused, route: '[API_KEY_REDACTED]', errorCode: 'bad-request' },
    { ...refused, dialect: 'embeddings', route: 'e', errorCode: 'not-found' },
    { ...refused, dialect: 'anthropic-messages', errorCode: 'rate-limited' },
  ]);
  expect((await ask('listRequests')).requests).toEqual(seen.toReversed());
  expect(JSON.stringify(seen)).not.toContain(PROMPT);
  expect((await ask('readUsage')).rows).toEqual([]);
});

test('a flood of refusals is counted whole and shown in part', async () => {
  const { gateway, ask } = await openManaged({ limits: { requests: 1 } });
  for (let round = 0; round < 60; round++) await gateway.call('/chat-stream', post({ message: 'hi' }));

  const { requests } = await ask('listRequests', { limit: 500 });
  expect((await ask('readGateway')).counters.limited).toBe(59);
  const perSecond = Map.groupBy(
    requests.filter(({ errorCode }) => errorCode === 'rate-limited'),
    ({ at }) => Math.floor(at / 1000),
  );
  for (const shown of perSecond.values()) expect(shown.length).toBeLessThanOrEqual(20);
  expect(requests.at(-1)).toMatchObject({ finishReason: 'stop' });
});

test('what is told live has the shape of the contract, and ends when the server stops', async () => {
  const { gateway, fake } = await openManaged();
  fake.answer({ body: recordedAnswer('openai-chat', 'text') });
  const response = await fetch(`${gateway.url}/api/gateway/requests/live`, {
    headers: { authorization: `Bearer ${gateway.tokenOf.admin}` },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  await gateway.call('/chat-stream', post({ message: PROMPT }));

  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('data:')) gateway.stopping.abort();
  }

  const told: unknown = JSON.parse(/^data: (.*)$/m.exec(text)![1]!);
  const [listed] = GATEWAY_CALLS.listRequests.answer.parse({ requests: [told] }).requests;
  expect(listed).toEqual(told);
  expect(text).not.toContain(PROMPT);
});
