import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { AccessTables } from '@dragoman/server';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { approvalAsked, openHubDoor, type HubDoor, type Person } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { testHubLog, testLog } from '../log/session-log.fixture.ts';
import { said, type ScriptedRunner } from '../scripted-runner.fixture.ts';
import { newPushKeys, PushService } from './push-service.fixture.ts';
import { Pusher } from './pusher.ts';
import { SessionReaders } from './session-readers.ts';

const EVERYTHING = { approvals: true, failures: true, finished: true };

/** A hub whose notifications go to a service of the test's own, and a session of Ada's on her machine. */
async function scene(engine: 'sqlite' | 'postgres' = 'sqlite', now?: () => number) {
  const service = await PushService.open();
  const door = await openHubDoor({ engine, push: service.transport, ...(now && { now }) });
  const ada = await door.person('ada');
  const runner = await door.runner({}, ada);
  const { id: sessionId } = await ada.client.createSession({ agent: 'scribe', folder: '/code', title: 'The door' });
  const subscribe = async (person: Person, name: string, given: object = {}) =>
    person.client.subscribePush({
      ...(await service.browser(name)).subscription,
      name,
      about: EVERYTHING,
      language: 'en',
      ...given,
    });
  return { service, door, ada, runner, sessionId, subscribe };
}

async function turn(runner: ScriptedRunner, sessionId: string, reason: 'done' | 'failed' | 'cancelled' = 'done') {
  await runner.say(sessionId, [
    { type: 'turn-started', turnId: 't' },
    said('Hello.'),
    { type: 'turn-finished', turnId: 't', reason },
  ]);
}

/** Everything that was noted has gone out. */
async function allSent({ store }: HubDoor, service: PushService, count: number): Promise<void> {
  await expect.poll(() => service.received.length, { timeout: 60_000, interval: 5 }).toBe(count);
  expect(
    await store.tables<{ hub_push_notes: { id: string } }>().selectFrom('hub_push_notes').select('id').execute(),
  ).toEqual([]);
}

const inShort = (service: PushService) =>
  service.received.map(({ path, payload }) => `${path.slice(1)} ${payload.kind}`).toSorted();

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('an approval reaches the browsers of everyone who may decide it, with what is needed to answer from there', async () => {
    const { service, door, ada, runner, sessionId, subscribe } = await scene(engine, () => 1_800_000_000_000);
    await subscribe(ada, 'phone');
    await subscribe(ada, 'laptop', { language: 'zh' });
    await subscribe(ada, 'tablet', { about: { ...EVERYTHING, approvals: false } });
    await subscribe(door.owner, 'admin');
    await subscribe(await door.person('max'), 'stranger');
    await subscribe(await door.person('vera', 'viewer'), 'viewer');

    await runner.say(sessionId, [
      { type: 'turn-started', turnId: 't' },
      approvalAsked('a-1', { title: `bash ${'x'.repeat(100)}` }),
    ]);
    await allSent(door, service, 3);

    expect(inShort(service)).toEqual(['admin approval', 'laptop approval', 'phone approval']);
    const { headers, payload } = service.received.find(({ path }) => path === '/phone')!;
    expect(payload).toEqual({
      kind: 'approval',
      title: 'The door',
      body: `Wants to run: bash ${'x'.repeat(74)}…`,
      url: `/sessions/${sessionId}`,
      tag: sessionId,
      language: 'en',
      sessionId,
      approval: { id: 'a-1', reject: 'no' },
    });
    expect(service.received.find(({ path }) => path === '/laptop')!.payload).toMatchObject({
      body: `请求执行：bash ${'x'.repeat(74)}…`,
      language: 'zh',
    });
    expect(headers).toMatchObject({
      ttl: '3600',
      urgency: 'high',
      topic: sessionId,
      'content-encoding': 'aes128gcm',
      authorization: expect.stringMatching(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/) as string,
    });
  });

  test('how a turn ended reaches who works in the session; that it ended well only who is not looking', async () => {
    const { service, door, ada, runner, sessionId, subscribe } = await scene(engine);
    await subscribe(ada, 'ada');
    await subscribe(door.owner, 'admin');
    await subscribe(await door.person('vera', 'viewer'), 'viewer');

    await turn(runner, sessionId);
    await allSent(door, service, 1);
    await turn(runner, sessionId, 'failed');
    await allSent(door, service, 2);
    await turn(runner, sessionId, 'cancelled');
    expect(inShort(service)).toEqual(['ada failed', 'ada finished']);
    expect(service.received[0]).toMatchObject({
      headers: { urgency: 'normal', ttl: '86400' },
      payload: { title: 'The door', body: 'Finished.' },
    });

    // Once she has it open, she hears of failures only; after she left, of everything again.
    const looking = new AbortController();
    const stream = await fetch(`${door.url}/api/sessions/${sessionId}/events`, {
      headers: { authorization: `Bearer ${ada.token}` },
      signal: looking.signal,
    });
    await stream.body!.getReader().read();
    await turn(runner, sessionId);
    await turn(runner, sessionId, 'failed');
    await allSent(door, service, 3);
    expect(inShort(service)).toEqual(['ada failed', 'ada failed', 'ada finished']);
    looking.abort();
    const finished = () => service.received.filter(({ payload }) => payload.kind === 'finished').length;
    const oneMore = async () => {
      await turn(runner, sessionId);
      return finished();
    };
    await expect.poll(oneMore, { timeout: 60_000 }).toBeGreaterThan(1);
  });

  test('a browser that ended its subscription is forgotten; a busy service is asked again, three times in all', async () => {
    const { service, door, ada, runner, sessionId, subscribe } = await scene(engine);
    await subscribe(ada, 'phone');
    service.refusals.push({ status: 429, headers: { 'retry-after': '0' } }, { status: 503 });
    await turn(runner, sessionId);
    await allSent(door, service, 1);
    expect(service.requests).toBe(3);

    service.refusals.push({ status: 500 }, { status: 500 }, { status: 500, text: 'out of\npaper' });
    await turn(runner, sessionId);
    const lastError = async () => (await ada.client.readPush()).subscriptions[0]?.lastError;
    await expect.poll(lastError).toBe(`${new URL(service.url).host} answered 500: out of paper`);
    expect(service.requests).toBe(6);

    // What is wrong with the message itself is not tried again, and what works again is not an error any more.
    service.refusals.push({ status: 403, text: 'bad key' });
    await turn(runner, sessionId);
    await expect.poll(lastError).toBe(`${new URL(service.url).host} answered 403: bad key`);
    expect(service.requests).toBe(7);
    await turn(runner, sessionId);
    await expect.poll(lastError).toBeUndefined();

    service.refusals.push({ status: 410 });
    await turn(runner, sessionId);
    await expect.poll(async () => (await ada.client.readPush()).subscriptions).toEqual([]);
  });

  test('everyone sees, tries and ends their own browsers; the same browser again is changed, and is whose it is now', async () => {
    const { service, door, ada, subscribe } = await scene(engine);
    const max = await door.person('max');
    const first = await subscribe(ada, 'phone');
    expect(HUB_CALLS.subscribePush.answer.strict().parse(first)).toMatchObject({ name: 'phone', about: EVERYTHING });
    const { endpoint, keys } = (await service.browser('phone')).subscription;
    const again = {
      endpoint,
      keys,
      name: 'My phone',
      about: { ...EVERYTHING, finished: false },
      language: 'zh',
    } as const;
    expect(await ada.client.subscribePush(again)).toEqual({
      ...first,
      name: 'My phone',
      about: { ...EVERYTHING, finished: false },
    });
    const read = HUB_CALLS.readPush.answer.strict().parse(await ada.client.readPush());
    expect(read.subscriptions).toHaveLength(1);
    expect(read.publicKey).toMatch(/^[\w-]{87}$/);
    expect(await max.client.readPush()).toEqual({ publicKey: read.publicKey, subscriptions: [] });

    const own = { subscriptionId: first.id };
    await expect(max.client.testPush(own)).rejects.toMatchObject({ code: 'not-found' });
    await expect(max.client.unsubscribePush(own)).rejects.toMatchObject({ code: 'not-found' });
    await ada.client.testPush(own);
    expect(service.received[0]).toMatchObject({
      path: '/phone',
      payload: { kind: 'test', title: 'Dragoman', body: '通知功能正常。' },
    });
    service.refusals.push({ status: 500, text: 'no' });
    await expect(ada.client.testPush(own)).rejects.toMatchObject({
      code: 'unavailable',
      message: `${new URL(service.url).host} answered 500: no`,
    });

    // Max logs in in that browser.
    await max.client.subscribePush(again);
    expect((await ada.client.readPush()).subscriptions).toEqual([]);
    await max.client.unsubscribePush(own);
    expect((await max.client.readPush()).subscriptions).toEqual([]);
  });
});

test('a login that was revoked or has expired is notified of nothing', async () => {
  const { service, door, ada, runner, sessionId, subscribe } = await scene();
  await subscribe(ada, 'lost');
  await door.tokens.revoke(ada.caller.tokenId!);
  const old = await door.person('ada');
  await subscribe(old, 'old');
  await door.store
    .tables<AccessTables>()
    .updateTable('tokens')
    .set({ expires_at: 1_000 })
    .where('id', '=', old.caller.tokenId!)
    .execute();
  const again = await door.person('ada');
  await subscribe(again, 'found');
  await turn(runner, sessionId);
  await allSent(door, service, 1);
  expect(inShort(service)).toEqual(['found finished']);
});

test('a service that never answers holds nobody up', async () => {
  const { service, door, ada, runner, sessionId, subscribe } = await scene();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.close();
    silent.closeAllConnections();
  });
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  await subscribe(ada, 'silent', { endpoint });
  await subscribe(ada, 'phone');
  await turn(runner, sessionId);
  await turn(runner, sessionId, 'failed');
  await allSent(door, service, 2);
  expect(inShort(service)).toEqual(['phone failed', 'phone finished']);
});

test('what cannot be sent to is refused at once: keys that are none, and addresses that are no push service', async () => {
  const door = await openHubDoor();
  const about = { name: 'x', about: EVERYTHING, language: 'en' } as const;
  const keys = newPushKeys();
  const subscribe = (given: object) =>
    door.owner.client.subscribePush({ endpoint: 'https://push.example.com/x', keys, ...about, ...given });
  await expect(subscribe({ endpoint: 'https://10.0.0.1/x' })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'endpoint: 10.0.0.1 is no push service: it is a private address.',
  });
  await expect(subscribe({ keys: { ...keys, auth: 'abc' } })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'keys.auth: expected 16 bytes in base64url.',
  });
  await expect(subscribe({ keys: { ...keys, p256dh: 'B'.repeat(87) } })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'keys.p256dh: expected a point of P-256 in base64url.',
  });
});

describe.each(STORE_ENGINES)('where several share the work, on %s', (engine) => {
  test('each notification is sent by one of them', async () => {
    const { service, door, ada, sessionId, subscribe } = await scene(engine);
    await subscribe(ada, 'phone');
    const db = door.store.tables<HubTables & AccessTables>();
    const logger = testHubLog();
    const readers = new SessionReaders({ db, engine, logger });
    const options = { db, engine, readers, publicUrl: () => undefined, now: Date.now, logger };
    const pushers = Array.from({ length: 3 }, () => new Pusher({ ...options, transport: service.transport }));
    const notes = Array.from({ length: 45 }, (_, index) => ({
      id: `ntf_${String(index).padStart(2, '0')}`,
      session_id: sessionId,
      note_json: JSON.stringify({ kind: 'failed' }),
      // What waited for too long is no news any more.
      created_at: Date.now() - (index < 5 ? 3_600_000 : 0),
    }));
    await db.insertInto('hub_push_notes').values(notes).execute();
    for (const pusher of pushers) pusher.wake();
    await allSent(door, service, 40);
    await Promise.all(pushers.map((pusher) => pusher.close()));
    await readers.close();
    expect([service.requests, logger.warnings]).toEqual([40, []]);
  });
});

test('who reads a session at one process is known to the others, until they leave or that process is gone', async () => {
  const { store } = await testLog('postgres');
  const logger = testHubLog();
  const db = store.tables<HubTables>();
  const open = () => new SessionReaders({ db, engine: 'postgres', logger });
  // By the clock of the database, whatever the clock of a machine says.
  const passes = (ms: number) =>
    db
      .updateTable('hub_readers')
      .set((row) => ({ seen_at: row('seen_at', '-', ms) }))
      .execute();
  const [one, other] = [open(), open()];
  const readers = async (at: SessionReaders) => [...(await at.readersOf('ses_1', ['ada', 'max']))];

  const leave = [one.enter('ada', 'ses_1'), one.enter('ada', 'ses_1'), one.enter('max', 'ses_2')];
  expect(await readers(one)).toEqual(['ada']);
  expect(await readers(other)).toEqual(['ada']);
  leave[0]!();
  leave[0]!();
  expect([await readers(one), await readers(other)]).toEqual([['ada'], ['ada']]);
  await passes(60_000);
  expect([await readers(one), await readers(other)]).toEqual([['ada'], []]);
  await passes(-60_000);
  leave[1]!();
  expect([await readers(one), await readers(other)]).toEqual([[], []]);
  one.enter('max', 'ses_1');
  expect([await readers(one), await readers(other)]).toEqual([['max'], ['max']]);
  await one.close();
  expect(await readers(other)).toEqual([]);
  await other.close();
  expect(logger.warnings).toEqual([]);
});
