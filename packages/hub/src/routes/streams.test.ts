import { foldHubEvents, type HubChange, type LoggedHubEvent, type SessionView } from '@dragoman/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openHubDoor, type HubDoor } from '../hub-door.fixture.ts';
import { said } from '../scripted-runner.fixture.ts';

/** Reads a stream of server-sent events until enough has come. */
async function readStream(
  door: HubDoor,
  path: string,
  isEnough: (text: string) => boolean,
  headers: Record<string, string> = {},
): Promise<{ response: Response; text: string }> {
  const response = await fetch(door.url + path, {
    headers: { authorization: `Bearer ${door.owner.token}`, ...headers },
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    if (isEnough(text)) break;
  }
  return { response, text };
}

test('UAP-02 a reader sees what was, and then what happens, in order and once, however often it comes back', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code' });
  const stop = new AbortController();
  const seen: LoggedHubEvent[] = [];
  const [live, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const following = client.followSession(sessionId, {
    signal: stop.signal,
    onState: ({ type }) => type === 'live' && live.resolve(),
    onEvents(events) {
      seen.push(...events);
      if (events.some(({ event }) => event.type === 'turn-finished')) enough.resolve();
    },
  });
  await live.promise;

  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't1' }]);
  await runner.say(sessionId, [
    { type: 'block-start', messageId: 'm', role: 'assistant', blockId: 'b', block: { type: 'text', text: '' } },
  ]);
  for (const delta of ['It ', 'shines', '.'])
    await runner.say(sessionId, [{ type: 'block-delta', blockId: 'b', delta }]);
  await runner.say(sessionId, [said('It shines.', 'b'), { type: 'turn-finished', turnId: 't1', reason: 'done' }]);
  await enough.promise;
  stop.abort();
  await following;

  const shown = (view: SessionView | undefined) => view?.messages.map(({ blocks }) => blocks.map(({ block }) => block));
  const { events } = await client.readLog({ sessionId });
  expect(shown(foldHubEvents(seen))).toEqual([[{ type: 'text', text: 'It shines.' }]]);
  expect(shown(foldHubEvents(events))).toEqual([[{ type: 'text', text: 'It shines.' }]]);
  const numbers = seen.map(({ seq }) => seq);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(seen.filter(({ event }) => event.type === 'block-delta').length).toBeGreaterThan(0);
});

test('a stream says the number of its last event, and goes on behind the one that a reader names', async () => {
  const door = await openHubDoor();
  await door.runner();
  const { id, seq } = await door.owner.client.createSession({
    agent: 'scribe',
    folder: '/code',
    prompt: { text: 'go' },
  });
  expect(seq).toBe(2);
  const path = `/api/sessions/${id}/events`;

  const { response, text } = await readStream(door, path, (got) => got.includes('prompt-queued'));
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(text).toMatch(/^id: 2\ndata: \{"events":\[\{"seq":1,.*\]\}\n\n/m);

  const hasSome = (got: string) => got.includes('data:');
  expect((await readStream(door, `${path}?after=1`, hasSome)).text).toMatch(/data: \{"events":\[\{"seq":2,/);
  expect((await readStream(door, path, hasSome, { 'last-event-id': '1' })).text).toMatch(
    /data: \{"events":\[\{"seq":2,/,
  );
  // A browser keeps the address it began with, and tells in the header how far it is.
  expect((await readStream(door, `${path}?after=0`, hasSome, { 'last-event-id': '1' })).text).toMatch(
    /data: \{"events":\[\{"seq":2,/,
  );
  const refused = await door.call(path, { headers: { 'last-event-id': 'soon' } });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad-request' } } });
  expect((await door.call('/api/sessions/ses_none/events')).status).toBe(404);
});

test('who asks for the head of a stream alone gets it at once', async () => {
  const door = await openHubDoor();

  const head = await door.call('/api/changes', { method: 'HEAD' });

  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
});

test('streams end when the server stops, and when their session is deleted', async () => {
  const door = await openHubDoor();
  await door.runner();
  const { client } = door.owner;
  const [one, other] = [
    await client.createSession({ agent: 'scribe', folder: '/code' }),
    await client.createSession({ agent: 'scribe', folder: '/code' }),
  ];
  const never = () => false;
  const reading = readStream(door, `/api/sessions/${one.id}/events`, never);
  await client.removeSession({ sessionId: one.id });
  expect((await reading).response.status).toBe(200);

  const others = [`/api/sessions/${other.id}/events`, '/api/changes'].map((path) => readStream(door, path, never));
  door.stopping.abort();
  expect((await Promise.all(others)).map(({ response }) => response.status)).toEqual([200, 200]);
});

test('lists are told what changed, in few messages however much happens', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const stop = new AbortController();
  const changes: HubChange[] = [];
  const [live, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const following = client.followChanges({
    signal: stop.signal,
    onState: ({ type }) => type === 'live' && live.resolve(),
    onChange(change) {
      changes.push(change);
      if (change.type === 'session-removed') done.resolve();
    },
  });
  await live.promise;

  const session = await client.createSession({ agent: 'scribe', folder: '/code' });
  for (let turn = 0; turn < 50; turn++)
    await runner.say(session.id, [
      { type: 'turn-started', turnId: `t${turn}` },
      { type: 'turn-finished', turnId: `t${turn}`, reason: 'done' },
    ]);
  await client.markRead({ sessionId: session.id, seq: 3 });
  await expect
    .poll(() => changes.findLast((change) => change.type === 'session'))
    .toMatchObject({
      session: { id: session.id, readSeq: 3, seq: 101, isOnline: true },
    });
  await runner.leave();
  await expect
    .poll(() => changes.findLast((change) => change.type === 'runner'))
    .toMatchObject({ runner: { id: 'run_desk', isConnected: false } });
  await client.removeSession({ sessionId: session.id });
  await done.promise;
  stop.abort();
  await following;

  expect(changes.length).toBeLessThan(50);
});

test('a reader that stands still for a while gets everything afterwards, in order', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const response = await fetch(`${door.url}/api/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${door.owner.token}` },
  });
  const reader = response.body!.getReader();
  await reader.read();

  const long = 'x'.repeat(100_000);
  for (let count = 0; count < 60; count++) await runner.say(id, [said(`${count} ${long}`, `b${count}`)]);
  await runner.say(id, [said('last')]);

  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('"last"')) text += decoder.decode((await reader.read()).value, { stream: true });
  await reader.cancel();
  const numbers = [...text.matchAll(/"seq":(\d+),/g)].map(([, seq]) => Number(seq));
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => numbers[0]! + index));
  expect(numbers.at(-1)).toBe(62);
});

test('a reader that names a number beyond the last one is told which that is', async () => {
  const door = await openHubDoor();
  await door.runner();
  const { id, seq } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const path = `/api/sessions/${id}/events?after=${seq + 1}`;
  expect(await door.call(path, { headers: { authorization: `Bearer ${door.owner.token}` } })).toMatchObject({
    status: 400,
    body: {
      error: {
        message: `after: ${seq + 1} is beyond the last event of this session, which is ${seq}; read again from 0.`,
      },
    },
  });
});

test('the streams of a token end soon after it is revoked, and other streams go on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const door = await openHubDoor();
  await door.runner();
  const ada = await door.person('ada');
  const { id } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  const read = async (path: string, token: string) => {
    const response = await fetch(door.url + path, { headers: { authorization: `Bearer ${token}` } });
    return response.body!.getReader();
  };
  const readers = [await read(`/api/sessions/${id}/events`, ada.token), await read('/api/changes', ada.token)];
  const other = await read('/api/changes', door.owner.token);

  await door.tokens.revoke(ada.caller.tokenId!);
  vi.advanceTimersByTime(10_000);
  for (const reader of readers) while (!(await reader.read()).done);

  await door.owner.client.createSession({ agent: 'scribe', folder: '/code' });
  expect(new TextDecoder().decode((await other.read()).value)).toContain(': here');
  expect(new TextDecoder().decode((await other.read()).value)).toContain('"type":"session"');
  await other.cancel();
});

test('a token has 256 streams and no more', async () => {
  const door = await openHubDoor();
  const stop = new AbortController();
  const open = () =>
    fetch(`${door.url}/api/changes`, {
      headers: { authorization: `Bearer ${door.owner.token}` },
      signal: stop.signal,
    });
  // fetch cancels the stream of an answer that was garbage-collected.
  const opened: Response[] = [];
  while (opened.length < 256) opened.push(await open());
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await open();
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'rate-limited',
      message: `The token "owner's" has 256 open streams, which is the limit. Close some, or use another token.`,
    },
  });
  const other = await door.person('ada');
  const allowed = await fetch(`${door.url}/api/changes`, {
    headers: { authorization: `Bearer ${other.token}` },
    signal: stop.signal,
  });
  expect([...opened, allowed].every(({ status, bodyUsed }) => status === 200 && !bodyUsed)).toBe(true);
  stop.abort();
  await expect
    .poll(async () => {
      const next = await fetch(`${door.url}/api/changes`, { headers: { authorization: `Bearer ${door.owner.token}` } });
      await next.body?.cancel();
      return next.status;
    })
    .toBe(200);
});
