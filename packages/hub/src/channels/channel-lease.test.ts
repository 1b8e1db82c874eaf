import { databaseTime, endHolder, newHolder, storeTime } from '@dragoman/server/base';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { ChannelLease, readChannelState } from './channel-lease.ts';
import { ManualClock } from './manual-clock.fixture.ts';
import { finish, begin, openScene, opens, turn } from './chats.fixture.ts';

test('of several processes on one PostgreSQL one listens and delivers; when it dies another takes over, and nothing is said twice', async () => {
  const { slate, door, chat, reads, until, runner, sessionId } = await openScene('postgres');
  await until(() => slate.listening === 1);
  const other = await door.another();
  await until(() => slate.opened === 2);
  await runner.leave();
  runner.link = other.link(door.owner.caller);
  await runner.connect();
  await chat('c');
  await runner.say(sessionId, [...turn('t1', 'One.'), begin('t2'), opens('b', 'Two')]);
  await reads('c', ['One.\n-- done', 'Two']);
  expect(slate.listening).toBe(1);
  expect([await door.hub.channels!.stateOf('slate'), await other.channels!.stateOf('slate')]).toMatchObject([
    { type: 'on' },
    { type: 'on' },
  ]);

  await door.kill();
  expect(slate.listening).toBe(0);
  await runner.say(sessionId, [finish('t2'), ...turn('t3', 'Three.')]);

  await reads('c', ['One.\n-- done', 'Two\n-- done', 'Three.\n-- done']);
  expect([slate.listening, slate.messages('c').length]).toEqual([1, 3]);
});

test('on the same host who comes after a process that was killed takes its channels over at once', async () => {
  const { slate, door } = await openScene();
  await expect.poll(() => slate.listening).toBe(1);

  await door.kill();

  // Time stands still meanwhile.
  await expect.poll(() => slate.opened).toBe(2);
  await expect.poll(() => slate.listening).toBe(1);
  await expect.poll(async () => (await door.hub.channels!.stateOf('slate')).type).toBe('on');
});

test('what a process said of a channel counts as long as it lives and its lease lasts', async () => {
  const { door } = await openScene('sqlite', { isOn: false });
  const db = door.store.tables<HubTables>();
  const holder = newHolder();
  const state = { state_json: JSON.stringify({ type: 'on' }), state_since: 1 };
  await db
    .insertInto('hub_channel_leases')
    .values({ channel: 'slate', holder, until: 100, ...state })
    .execute();

  const stateAt = (now: number) =>
    readChannelState(
      db,
      'slate',
      storeTime('sqlite', () => now),
    );
  expect(await stateAt(99)).toEqual({ type: 'on', since: 1 });
  expect(await stateAt(100)).toEqual({ type: 'starting' });
  endHolder(holder);
  expect(await stateAt(99)).toEqual({ type: 'starting' });
});

/** The lease of a channel on one PostgreSQL, for processes on hosts whose clocks are apart. */
async function openApart() {
  const { door } = await openScene('postgres', { isOn: false });
  const db = door.store.tables<HubTables>();
  const logger = { debug: () => {}, info: () => {}, warn: () => {} };
  return {
    db,
    /** Wants the lease from now on. */
    want(host: string, aheadMs: number) {
      const clock = new ManualClock(Date.now() + aheadMs);
      const [ending, tried] = [new AbortController(), { times: 0 }];
      const wait = (ms: number, signal: AbortSignal) => {
        tried.times += 1;
        return clock.wait(ms, signal);
      };
      const holder = `${host}/pid 1 an-id`;
      const options = { db, engine: 'postgres' as const, logger, channel: 'slate', holder };
      const lease = new ChannelLease({ ...options, clock: { now: clock.now, wait } });
      const running = lease.run(
        (signal) => new Promise((done) => signal.addEventListener('abort', () => done())),
        ending.signal,
      );
      onTestFinished(async () => {
        ending.abort();
        await running;
      });
      return { lease, clock, tried };
    },
  };
}

test('the lease of a process whose clock is ahead lasts no longer than that of any other', async () => {
  const { db, want } = await openApart();
  const ahead = want('ahead', 300_000);
  await expect.poll(() => ahead.lease.isHeld).toBe(true);

  const left = sql<number>`until - ${databaseTime}`.as('left');
  const row = await db.selectFrom('hub_channel_leases').select(left).executeTakeFirstOrThrow();
  expect(Number(row.left)).toBeLessThanOrEqual(6_000);
});

test('a process whose clock is ahead takes the lease from none that lives', async () => {
  const { db, want } = await openApart();
  const one = want('one', 0);
  await expect.poll(() => one.lease.isHeld).toBe(true);
  one.lease.tell({ type: 'on' });
  const ahead = want('ahead', 7_000);
  await expect.poll(() => ahead.tried.times).toBe(1);

  expect([one.lease.isHeld, ahead.lease.isHeld]).toEqual([true, false]);
  const row = await db.selectFrom('hub_channel_leases').select('holder').executeTakeFirstOrThrow();
  expect(row.holder).toBe('one/pid 1 an-id');
});

test('that a token is revoked is written into the log once, with the reason, and that the channel works again', async () => {
  const lines: unknown[][] = [];
  const note = (level: string) => (fields: object, message: string) => {
    if ('channel' in fields) lines.push([level, fields, message]);
  };
  const { slate, chat, say, reads, until } = await openScene('sqlite', {
    log: { debug: () => {}, info: note('info'), warn: note('warn') },
  });
  slate.fault = () => ({ when: 'before', problem: { type: 'revoked' }, message: 'Unauthorized' });
  await chat('c');
  await say(...turn('t', 'Said.'));
  await until(() => slate.calls.length === 3);
  slate.fault = () => undefined;

  await reads('c', ['Said.\n-- done']);

  expect(lines).toEqual([
    ['warn', { channel: 'slate', reason: 'Unauthorized' }, 'a channel failed and needs attention'],
    ['info', { channel: 'slate' }, 'a channel works again'],
  ]);
});

test('the process that holds a channel is woken by what another one stores', async () => {
  const { slate, door, chat, reads, until, runner, sessionId } = await openScene('postgres');
  await until(() => slate.listening === 1);
  const other = await door.another();
  await chat('c');
  await runner.leave();
  runner.link = other.link(door.owner.caller);
  await runner.connect();

  await runner.say(sessionId, turn('t', 'From elsewhere.'));

  await reads('c', ['From elsewhere.\n-- done']);
  expect(slate.listening).toBe(1);
});

test('every process of the hub is told that an admin checks the set-up of a channel', async () => {
  const { slate, door, until } = await openScene('postgres');
  await door.another();
  await until(() => slate.opened === 2);

  await door.owner.client.checkChannel({ channel: 'slate', language: 'en' });

  await until(() => slate.setupsExpected >= 2);
  expect(slate.setupsExpected).toBe(2);
});

test('a channel is opened and closed as the configuration says, and opened anew when its settings change', async () => {
  const { slate, door, until } = await openScene('sqlite', { isOn: false });
  const channels = door.hub.channels!;
  expect([await channels.stateOf('slate'), slate.opened, channels.isAnyOn]).toEqual([{ type: 'off' }, 0, false]);
  await expect(channels.receive('slate', { headers: {}, body: Buffer.alloc(0) })).rejects.toMatchObject({
    code: 'not-found',
  });

  door.settings.channels = { slate: { token: 'a' } } as never;
  door.hub.refresh();
  await until(async () => (await channels.stateOf('slate')).type === 'on');
  door.hub.refresh();
  door.settings.channels = { slate: { token: 'b' } } as never;
  door.hub.refresh();
  await until(() => slate.opened === 2 && slate.closed === 1 && slate.listening === 1);
  door.settings.channels = {};
  door.hub.refresh();

  await until(() => slate.closed === 2 && slate.listening === 0);
  expect(await channels.stateOf('slate')).toEqual({ type: 'off' });
});

test('a webhook call reaches its channel without a token, with its bytes as they came; there is a limit', async () => {
  const { door } = await openScene();
  const call = (path: string, body: string) =>
    door.call(path, {
      method: 'POST',
      body,
      headers: { authorization: 'none', 'content-type': 'application/json; charset=utf-8' },
    });

  expect(await call('/channels/slate', '{ "a" :1 }')).toMatchObject({
    status: 202,
    body: { bytes: 10, text: '{ "a" :1 }' },
  });
  expect((await call('/channels/nobody', '{}')).status).toBe(404);
  expect((await call('/channels/slate', 'x'.repeat(1_000_001))).status).toBe(413);
});
