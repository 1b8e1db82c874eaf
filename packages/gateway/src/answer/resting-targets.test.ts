import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gatherAnswer, newId } from '@dragoman/protocol';
import { closedPort, startFakeProvider } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createModel } from '../create-model.ts';
import { openTestGateway, provider, recordedAnswer } from '../gateway.fixture.ts';
import { ask, post } from '../manage/manage.fixture.ts';
import { openCallBook } from '../metering/call-book.ts';
import { TargetWatch } from '../routing/target-watch.ts';
import { UpstreamRegistry } from '../upstreams/upstream-registry.ts';

const CHAT = { body: recordedAnswer('openai-chat', 'text') };
const DOWN = { status: 500, body: '{"error":{"message":"oops"}}' };

/** Two providers behind one route, and a clock that stands still. */
async function openTwo(route: Record<string, unknown> = {}, first?: string) {
  const [one, two] = [await startFakeProvider(), await startFakeProvider()];
  const clock = { now: 1_000_000 };
  const waits: number[] = [];
  const targets = new TargetWatch({
    now: () => clock.now,
    random: () => 0.5,
    wait: async (ms) => void waits.push(ms),
  });
  const gateway = await openTestGateway(
    {
      providers: { one: provider('openai-chat', first ?? one.url), two: provider('openai-chat', two.url) },
      routes: { default: { targets: ['one/m', 'two/m'], ...route } },
    },
    { book: { ...openCallBook({}), targets } },
  );
  two.answer(CHAT);
  let number = 0;
  /** A conversation of its own, as a client in a dialect that is relayed or not. */
  const chat = (text = `question ${number++}`) =>
    gateway.call('/v1/chat/completions', post({ stream: true, messages: [{ role: 'user', content: text }] }));
  const messages = (text = `question ${number++}`) =>
    gateway.call('/v1/messages', post({ max_tokens: 9, stream: true, messages: [{ role: 'user', content: text }] }));
  return { gateway, one, two, clock, waits, targets, chat, messages };
}

describe.each(['chat', 'messages'] as const)('asked by a client over %s', (door) => {
  test('a target that fails is left out until its rest is over, then one call tries it', async () => {
    const { one, two, clock, ...doors } = await openTwo();
    one.answer(DOWN);
    const ask = doors[door];

    for (let call = 0; call < 5; call++) expect((await ask()).status).toBe(200);
    expect([one.requests.length, two.requests.length]).toEqual([1, 5]);

    clock.now += 5_000;
    const held = Promise.withResolvers<void>();
    one.answer({ body: [held.promise, ...CHAT.body] });
    const probe = ask();
    await one.request(2);
    await Promise.all([ask(), ask(), ask()]);
    expect([one.requests.length, two.requests.length]).toEqual([2, 8]);
    held.resolve();
    expect((await probe).status).toBe(200);
    one.answer(CHAT);
    await ask();
    expect([one.requests.length, two.requests.length]).toEqual([3, 8]);
  });

  test('a call that is refused for what it says leaves the target in its place', async () => {
    const { one, two, ...doors } = await openTwo();
    one.answer({ status: 400, body: '{"error":{"message":"no"}}' }, CHAT);

    expect((await doors[door]()).status).toBe(400);
    expect((await doors[door]()).status).toBe(200);
    expect([one.requests.length, two.requests.length]).toEqual([2, 0]);
  });

  test('a probe that has begun to answer ends the rest before its answer is complete', async () => {
    const { one, two, clock, ...doors } = await openTwo();
    one.answer(DOWN);
    await doors[door]();
    clock.now += 5_000;
    const held = Promise.withResolvers<void>();
    one.answer({ body: [...CHAT.body.slice(0, 2), held.promise, ...CHAT.body.slice(2)] }, CHAT);
    const headers = { authorization: `Bearer ${doors.gateway.tokenOf.admin}`, 'content-type': 'application/json' };
    const path = door === 'chat' ? '/v1/chat/completions' : '/v1/messages';
    const body = JSON.stringify({ max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'probe' }] });
    const probe = await fetch(`${doors.gateway.url}${path}`, { method: 'POST', headers, body });
    const reader = probe.body!.getReader();
    await reader.read();

    await doors[door]();
    expect([one.requests.length, two.requests.length]).toEqual([3, 1]);
    held.resolve();
    while (!(await reader.read()).done);
  });

  test('a prompt that is too long is answered by the next target that takes more', async () => {
    const [small, large] = [await startFakeProvider(), await startFakeProvider()];
    const gateway = await openTestGateway({
      providers: { small: provider('openai-chat', small.url), large: provider('openai-chat', large.url) },
      routes: { default: ['small/gpt-4o', 'small/own', 'large/gpt-4.1'] },
    });
    small.answer({
      status: 400,
      body: '{"error":{"message":"This model\'s maximum context length is 128000 tokens.","code":"context_length_exceeded"}}',
    });
    large.answer(CHAT);
    const path = door === 'chat' ? '/v1/chat/completions' : '/v1/messages';

    const { status } = await gateway.call(
      path,
      post({ max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'long' }] }),
    );

    expect(status).toBe(200);
    expect(small.requests.map(({ body }) => body['model'])).toEqual(['gpt-4o']);
    expect(large.requests).toHaveLength(1);
  });
});

test('a conversation stays with the target that answered it', async () => {
  const { one, two, clock, chat } = await openTwo();
  one.answer(DOWN, CHAT);
  await chat('first');
  clock.now += 5_000;
  await chat('second');
  await chat('first');
  await chat('third');

  const asked = (fake: typeof one) => fake.requests.map(({ text }) => /first|second|third/.exec(text)?.[0]);
  expect(asked(one)).toEqual(['first', 'second', 'third']);
  expect(asked(two)).toEqual(['first', 'first']);
});

test('a provider whose port is closed is left out for all its models', async () => {
  const { two, gateway, chat } = await openTwo({}, `http://127.0.0.1:${await closedPort()}`);
  await chat();
  gateway.config.routes['other'] = ['one/other', 'two/other'];
  await gateway.call(
    '/v1/chat/completions',
    post({ model: 'other', messages: [{ role: 'user', content: 'x' }], stream: true }),
  );

  expect(two.requests).toHaveLength(2);
  expect(gateway.book.targets.rests.list(gateway.config.providers)).toMatchObject([{ name: 'one', failures: 1 }]);
});

test('a rest is shown with its reason and its end, and counted, until the target has answered', async () => {
  const { gateway, one, chat, clock } = await openTwo();
  one.answer({ status: 429, headers: { 'retry-after': '40' }, body: '{}' });
  await chat();

  expect(await ask(gateway, 'readGateway')).toMatchObject({
    resting: [{ name: 'one/m', code: 'rate-limited', since: 1_000_000, until: 1_040_000, isAsked: true, failures: 1 }],
  });
  const metric = 'dragoman_gateway_target_resting{target="one/m",code="rate-limited"} 1';
  expect((await gateway.call('/metrics')).text).toContain(metric);

  clock.now += 40_000;
  one.answer(CHAT);
  await chat();
  expect(await ask(gateway, 'readGateway')).not.toHaveProperty('resting');
  expect((await gateway.call('/metrics')).text).not.toContain(metric);
});

test('only the first call is slow where the first target takes no connection', async () => {
  const hole = await blackHole();
  const { two, gateway, chat, targets } = await openTwo({}, hole);
  gateway.config.providers['one']!.timeouts.connectMs = 300;

  expect((await Promise.all([chat(), chat(), chat()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  const rest = targets.rests.list(gateway.config.providers);
  expect(rest).toMatchObject([{ name: 'one', code: 'timed-out', failures: 1 }]);
  gateway.config.providers['one']!.timeouts.connectMs = 600_000; // Whoever asked it now would wait for good.
  expect((await Promise.all([chat(), chat(), chat()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(two.requests).toHaveLength(6);
});

test('an agent knows of the rest that clients brought about', async () => {
  const { gateway, one, two, chat } = await openTwo();
  one.answer(DOWN);
  await chat();
  const upstreams = new UpstreamRegistry();
  onTestFinished(() => upstreams.close());
  const caller = { userId: newId('usr'), userName: 'ada', tokenName: 'native' };
  const model = createModel('default', gateway.config, { upstreams, notes: { book: gateway.book, caller } });
  const answer = gatherAnswer();
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  await model.stream({ prompt, tools: [] }, answer, new AbortController().signal);

  expect(answer.answer.error).toBe(undefined);
  expect([one.requests.length, two.requests.length]).toEqual([1, 2]);
});

test('the only target is asked once more after a failure that may pass, and the client sees one answer', async () => {
  const fake = await startFakeProvider();
  const gateway = await openTestGateway({ providers: { fake: provider('openai-chat', fake.url) } });
  fake.answer(DOWN, CHAT);

  const { status } = await gateway.call(
    '/v1/chat/completions',
    post({ model: 'fake/m', stream: true, messages: [{ role: 'user', content: 'x' }] }),
  );

  expect(status).toBe(200);
  expect(fake.requests).toHaveLength(2);
});

test('vectors come from another provider of the same model while the first rests, and from no other model', async () => {
  const { gateway, one, two } = await openTwo();
  gateway.config.routes['embedding'] = ['one/embed', 'two/other', 'two/embed'];
  one.answer(DOWN);
  two.answer({ body: '{"data":[{"embedding":[1]}]}' });
  for (let call = 0; call < 2; call++)
    expect((await gateway.call('/v1/embeddings', post({ input: 'x' }))).status).toBe(200);

  expect(one.requests).toHaveLength(1);
  expect(two.requests.map(({ body }) => body['model'])).toEqual(['embed', 'embed']);
});

test('recordings are written down by the next target while the first rests', async () => {
  const { gateway, one, two } = await openTwo();
  gateway.config.routes['transcription'] = ['one/whisper', 'two/whisper'];
  one.answer(DOWN);
  two.answer({ body: '{"text":"hello"}' });
  const form = () => {
    const body = new FormData();
    body.set('file', new Blob(['RIFF']), 'a.wav');
    return { method: 'POST', body };
  };
  for (let call = 0; call < 2; call++)
    expect((await gateway.call('/v1/audio/transcriptions', form())).body).toEqual({ text: 'hello' });

  expect([one.requests.length, two.requests.length]).toEqual([1, 2]);
});

/** An address where a connection never comes about: nobody answers the greeting of TLS. */
async function blackHole(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
