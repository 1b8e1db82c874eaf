import { createConsoleClient, type RequestInfo } from '@dragoman/protocol/console';
import { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import { type ScriptedAnswer, STORE_ENGINES } from '@dragoman/testkit';
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
        failures: [
          {
            target: 'fake/m',
            code: 'forbidden',
            status: 401,
            message: 'The provider "fake" answered 401: [REDACTED]',
            ms: expect.any(Number),
          },
        ],
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

  test('each target that did not answer says why, also where another one did and where the answer broke off', async () => {
    const { gateway, fake, ask } = await openManaged({ routes: { default: ['fake/one', 'fake/two'] } }, engine);
    const said = async (...answers: ScriptedAnswer[]) => {
      fake.answer(...answers);
      await gateway.call('/chat-stream', post({ message: PROMPT }));
      const { requests } = await ask('listRequests', { limit: 1 });
      return requests[0]!.failures?.map(({ target, code, status, message }) => ({ target, code, status, message }));
    };
    const busy = { target: 'fake/one', code: 'unavailable', status: 503 };
    const message = 'The provider "fake" answered 503: Too busy.';
    const text = recordedAnswer('openai-chat', 'text');

    expect(await said({ status: 503, body: '{"error":{"message":"Too busy."}}' }, { body: text })).toEqual([
      { ...busy, message },
    ]);
    expect(await said({ body: text })).toBeUndefined();
    const [cut] = (await said({ body: text.slice(0, 3) })) ?? [];
    expect(cut).toMatchObject({ target: expect.stringMatching(/^fake/), code: 'unavailable' });
    expect(cut?.message).toMatch(/^Connection error: the provider's answer/);
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
    // What is paid for since then is not among those to set a price for.
    expect((await ask('readUsage', { by: 'model' })).unpricedModels).toEqual(['fake/silent', 'fake/unknown']);
    gateway.config.providers['fake']!.prices['unknown'] = { input: 1, output: 1 };
    expect((await ask('readUsage', { by: 'model' })).unpricedModels).toEqual(['fake/silent']);
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
      firstEventMs: { median: expect.any(Number), p95: expect.any(Number) },
      totalMs: { median: expect.any(Number), p95: expect.any(Number) },
    };
    const today = new Date().toISOString().slice(0, 10);

    expect(await ask('readUsage')).toEqual({
      by: 'day',
      days: 30,
      timeZone: 'UTC',
      rows: [{ key: today, ...row }],
      total: { key: '', ...row },
      times: expect.toSatisfy((times: unknown[]) => times.length === 30),
      firstAt: expect.any(Number),
    });
    expect(await ask('readUsage', { by: 'model', days: 1, timeZone: 'Asia/Kolkata' })).toEqual({
      by: 'model',
      days: 1,
      timeZone: 'Asia/Kolkata',
      rows: [{ key: 'fake/m', ...row }],
      total: { key: '', ...row },
      firstAt: expect.any(Number),
      unpricedModels: ['fake/m'],
    });
    expect((await ask('readUsage', { by: 'hour', days: 1, timeZone: 'Asia/Kolkata' })).rows).toEqual([
      { key: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00\+05:30$/), ...row },
    ]);
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
    const zones = ['Mars/Olympus', '', '%2B02:00', 'x'.repeat(65), 'Europe/Berlin%00', "UTC'--"];
    for (const zone of zones) {
      const { status, body } = await gateway.call(`/api/usage?timeZone=${zone}`);
      expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/^timeZone: /)]);
    }
    const tooLong = await gateway.call('/api/usage?by=hour&days=32');
    expect([tooLong.status, tooLong.body.error?.message]).toEqual([
      400,
      'days: at most 31 when grouped by hour; group by day for more.',
    ]);
    expect((await gateway.call('/api/gateway/requests?limit=501')).status).toBe(400);
  });
});

test('calls that were turned away are told and listed, and not stored', async () => {
  const { gateway, ask } = await openManaged({
    limits: { requests: 4 },
    providers: {},
    routes: { default: ['offline/offline'] },
  });
  const { until } = await follow(gateway);
  const chat = (body: object) => gateway.call('/v1/chat/completions', post(body));
  const messages = [{ role: 'user', content: PROMPT }];

  await chat({ model: 'nobody/has-this', stream: true, messages });
  await chat({ model: 'sk-abcdefghijklmnopqrstuvwxyz', stream: PROMPT });
  await gateway.call('/v1/embeddings', post({ model: 'e', input: PROMPT }));
  await chat({ model: 'default', messages: [{ role: 'user', content: [{ type: PROMPT }] }] });
  await gateway.call('/v1/messages', post({ model: 'default', messages }));
  await gateway.call('/v1/messages/count_tokens', post({ messages: PROMPT })); // Asks no model.
  await gateway.call('/v1/chat/completions', post({}, { authorization: 'none' })); // Came from nobody.

  const seen = await until(5);
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
  const why = (code: string, message: string) => ({
    errorCode: code,
    failures: [{ target: '', code, message, ms: expect.any(Number) }],
  });
  expect(seen).toEqual([
    {
      ...refused,
      route: 'nobody/has-this',
      isStreamed: true,
      ...why('not-found', 'There is no model named "nobody/has-this". Available models: default, offline/offline.'),
    },
    {
      ...refused,
      route: '[API_KEY_REDACTED]',
      ...why('bad-request', 'stream: Invalid input: expected boolean, received string'),
    },
    {
      ...refused,
      dialect: 'embeddings',
      route: 'e',
      ...why('not-found', expect.stringMatching(/^No embedding model is configured/)),
    },
    {
      ...refused,
      route: 'default',
      ...why('bad-request', 'messages: the content part type "…" is not supported.'),
    },
    {
      ...refused,
      dialect: 'anthropic-messages',
      ...why('rate-limited', 'This token can make 4 model requests a minute.'),
    },
  ]);
  expect((await ask('listRequests')).requests).toEqual(seen.toReversed());
  expect(JSON.stringify(seen)).not.toContain(PROMPT);
  expect((await ask('readUsage')).rows).toEqual([]);
});

test('calls that a rule of a token or a budget turned away say which, without the secrets of who asked', async () => {
  const { gateway, ask } = await openManaged({ budgets: [{ per: 'day', requests: 1 }] });
  const text = (
    await gateway.tokens.createToken({
      user: await gateway.tokens.openUser('ann', 'member'),
      name: "ann's",
      role: 'member',
      expiresAt: null,
      models: ['other'],
    })
  ).text;
  const chat = (model: string, headers?: Record<string, string>) =>
    gateway.call('/v1/chat/completions', post({ model, messages: [{ role: 'user', content: PROMPT }] }, headers));
  await chat('default');
  await chat('default');
  await chat('sk-abcdefghijklmnopqrstuvwxyz', { authorization: `Bearer ${text}` });

  const { requests } = await ask('listRequests', { limit: 2 });
  expect(requests.map(({ errorCode, failures }) => [errorCode, failures?.map(({ message }) => message)])).toEqual([
    ['forbidden', ['The token "ann\'s" cannot use the model "[API_KEY_REDACTED]". It can use: other.']],
    ['over-budget', [expect.stringMatching(/^The budget for everyone, per day, is used up: 1 of 1 requests\./)]],
  ]);
});

test('the calls that the console makes to try a model say why they failed', async () => {
  const { fake, ask } = await openManaged();
  fake.answer({ status: 503, body: '{"error":{"message":"Too busy."}}' });
  await ask('testModel', { model: 'default' });

  const { requests } = await ask('listRequests', { limit: 1 });
  expect(requests[0]?.failures).toEqual([
    {
      target: 'fake/m',
      code: 'unavailable',
      status: 503,
      message: 'The provider "fake" answered 503: Too busy.',
      ms: expect.any(Number),
    },
  ]);
});

test('a call for vectors that failed or was turned away is listed once, with why', async () => {
  const { gateway, fake, ask } = await openManaged({ budgets: [{ per: 'day', requests: 2 }] });
  fake.answer({ status: 503, body: '{"error":{"message":"Too busy."}}' });
  await gateway.call('/v1/embeddings', post({ model: 'fake/e', input: PROMPT }));
  const content = { content: { parts: [{ text: PROMPT }] } };
  await gateway.call('/v1beta/models/fake/e:embedContent', post(content));
  await gateway.call('/v1/embeddings', post({ model: 'fake/e', input: PROMPT }));

  const { requests } = await ask('listRequests');
  expect(requests.map(({ target, failures = [] }) => [target, failures.at(-1)?.message])).toEqual([
    ['', expect.stringMatching(/^The budget for everyone, per day, is used up/)],
    ['fake/e', expect.stringContaining('Too busy.')],
    ['fake/e', 'The provider "fake" answered 503: Too busy.'],
  ]);
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
