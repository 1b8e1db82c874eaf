import type { LoggedHubEvent } from '@dragoman/protocol';
import { countNotices, freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { at, stop, testLog, testSession } from '../log/session-log.fixture.ts';
import type { EventFeed } from './event-feed.ts';

/** Follows a session; `hold` makes the reader slow until the promise it gives resolves. */
function follow(
  feed: EventFeed,
  sessionId: string,
  after: number,
  hold: () => Promise<void> | void = () => {},
  note: (events: readonly LoggedHubEvent[]) => void = () => {},
) {
  const heard: LoggedHubEvent[] = [];
  const batches: number[] = [];
  let ended: Error | true | undefined;
  const leave = feed.subscribe(sessionId, after, {
    receive(events) {
      heard.push(...events);
      batches.push(events.length);
      note(events);
      return hold();
    },
    end: (error) => (ended = error ?? true),
  });
  onTestFinished(leave);
  return { heard, batches, leave, seqs: () => heard.map(({ seq }) => seq), ended: () => ended };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('UAP-02 a reader gets what was said before it came, then what is said, each once and in order', async () => {
    const { log, feed } = await testLog(engine);
    const id = await testSession(log);
    for (let index = 0; index < 10; index++) await log.append(id, at(index, stop(`early ${index}`, 'x')));

    const reader = follow(feed, id, 3);
    await Promise.all(range(0, 30).map((index) => log.append(id, at(index, stop(`late ${index}`, 'x')))));

    await expect.poll(() => reader.seqs()).toEqual(range(4, 42));
  });

  test('UAP-02 UAP-03 a reader that was away for 50,000 events catches up in pages, while more is said', async () => {
    const { log, feed } = await testLog(engine);
    const id = await testSession(log);
    for (let from = 0; from < 50_000; from += 5000)
      await log.append(id, at(from, ...range(1, 5000).map((index) => stop(`${from + index}`, 'x'))));

    const reader = follow(feed, id, 0, () => new Promise(setImmediate));
    for (let index = 0; index < 20; index++) await log.append(id, at(index, stop(`late ${index}`, 'x')));

    await expect.poll(() => reader.heard.at(-1)?.seq, { timeout: 60_000 }).toBe(50_021);
    expect(reader.seqs()).toEqual(range(1, 50_021));
    expect(Math.max(...reader.batches)).toBeLessThanOrEqual(2000);
  });

  test('a reader is never handed much more than a page, whether it reads what was or hears what is', async () => {
    const { log, feed } = await testLog(engine);
    const id = await testSession(log);
    const [long, huge] = ['x'.repeat(50_000), 'x'.repeat(1_000_000)];
    for (let from = 0; from < 6000; from += 2000)
      await log.append(id, at(from, ...range(1, 2000).map((index) => stop(`${from + index}`, 'x'))));
    const sizes: number[] = [];
    const reader = follow(
      feed,
      id,
      0,
      () => new Promise(setImmediate),
      (events) => sizes.push(JSON.stringify(events).length),
    );
    await log.append(id, at(1, ...range(1, 60).map((index) => stop(`long ${index}`, long)), stop('huge', huge)));
    await expect.poll(() => reader.heard.at(-1)?.seq, { timeout: 60_000 }).toBe(6062);
    await log.append(id, at(1, ...range(1, 60).map((index) => stop(`live ${index}`, long)), stop('huge 2', huge)));
    await expect.poll(() => reader.heard.at(-1)?.seq, { timeout: 60_000 }).toBe(6123);

    expect(reader.seqs()).toEqual(range(1, 6123));
    expect(sizes.filter((size) => size > 300_000).map((size) => Math.floor(size / 500_000))).toEqual([2, 2]);
  });

  test('a slow reader is not handed more while it works, and finds the rest in the log', async () => {
    const { log, feed } = await testLog(engine);
    const id = await testSession(log);
    const { promise: worked, resolve: done } = Promise.withResolvers<void>();
    const slow = follow(feed, id, 0, () => worked);
    const quick = follow(feed, id, 0);
    for (let index = 0; index < 50; index++) await log.append(id, at(index, stop(`${index}`, 'x')));
    await expect.poll(() => quick.heard.length).toBe(51);
    expect(slow.batches).toHaveLength(1);

    done();

    await expect.poll(() => slow.seqs()).toEqual(range(1, 51));
    expect(slow.batches.length).toBeLessThanOrEqual(3);
  });

  test('a session that is removed ends its readers, and so does a reader that fails', async () => {
    const { log, feed } = await testLog(engine);
    const id = await testSession(log);
    const reader = follow(feed, id, 0);
    const failing = follow(feed, id, 0, () => {
      throw new Error('gone');
    });
    await expect.poll(() => [reader.heard.length, failing.ended()]).toEqual([1, new Error('gone')]);

    feed.remove(id);

    expect(reader.ended()).toBe(true);
    await log.append(id, at(1, stop('a', 'x')));
    expect(reader.heard).toHaveLength(1);
  });

  test('who leaves hears nothing more, and a closed feed ends everybody', async () => {
    const { log, feed } = await testLog(engine);
    const id = await testSession(log);
    const [gone, there] = [follow(feed, id, 0), follow(feed, id, 0)];
    await expect.poll(() => [gone.heard.length, there.heard.length]).toEqual([1, 1]);

    gone.leave();
    await log.append(id, at(1, stop('a', 'x')));
    await feed.close();

    expect([gone.heard.length, there.heard.length]).toEqual([1, 2]);
    expect([gone.ended(), there.ended()]).toEqual([undefined, true]);
    expect(follow(feed, id, 0).ended()).toBe(true);
  });

  test('what is told is heard once, by everyone who listens', async () => {
    const { feed } = await testLog(engine);
    const heard: unknown[] = [];
    const stopHearing = feed.hear('commands', (payload) => heard.push(['commands', payload]));
    feed.hear('asks', (payload) => heard.push(['asks', payload]));

    feed.tell('commands', 'run_1');
    feed.tell('asks', 'ask_1');
    stopHearing();
    feed.tell('commands', 'run_2');

    expect(heard).toEqual([
      ['commands', 'run_1'],
      ['asks', 'ask_1'],
    ]);
  });
});

describe('with two processes on one PostgreSQL', () => {
  test('UAP-02 a reader in one process hears what the other stores, each once and in order', async () => {
    const location = await freshLocation('postgres');
    const [one, other] = [await testLog(location), await testLog(location)];
    const id = await testSession(one.log);
    const readers = [one, one, other, other].map(({ feed }) => follow(feed, id, 0));

    await Promise.all(
      range(1, 60).map((index) => (index % 2 === 0 ? one : other).log.append(id, at(index, stop(`${index}`, 'x')))),
    );

    for (const reader of readers) await expect.poll(() => reader.seqs()).toEqual(range(1, 61));
  });

  test('what one tells, both hear once; a session removed in one ends the readers of both', async () => {
    const location = await freshLocation('postgres');
    const [one, other] = [await testLog(location), await testLog(location)];
    const id = await testSession(one.log);
    const reader = follow(other.feed, id, 0);
    const heard: string[][] = [[], []];
    one.feed.hear('changes', (payload) => heard[0]!.push(payload ?? 'missed'));
    other.feed.hear('changes', (payload) => heard[1]!.push(payload ?? 'missed'));

    for (let index = 0; index < 300; index++) one.feed.tell('changes', `${index} ${'x'.repeat(100)}`);
    one.feed.remove(id);

    await expect.poll(() => heard[1]!.length).toBe(300);
    expect(heard[1]).toEqual(heard[0]);
    await expect.poll(() => reader.ended()).toBe(true);
  });

  test('of much that is stored the others are told every 20 ms at most, and their readers have all of it', async () => {
    const location = await freshLocation('postgres');
    const [one, other] = [await testLog(location), await testLog(location)];
    const ids = [await testSession(one.log), await testSession(one.log)];
    const readers = ids.map((id) => follow(other.feed, id, 0));
    const notices = await countNotices(location.databaseUrl!, 'dragoman_hub');
    onTestFinished(() => notices.end());

    const startedAt = performance.now();
    for (const index of range(1, 200))
      for (const id of ids) await one.log.append(id, at(index, stop(`block ${index}`, 'x')));
    for (const reader of readers) await expect.poll(() => reader.seqs()).toEqual(range(1, 201));

    expect(notices.count).toBeGreaterThan(0);
    expect(notices.count).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 20);
  });

  test('what a process stored and did not tell of before it died is found when the others look again', async () => {
    const location = await freshLocation('postgres');
    const [one, other] = [await testLog(location), await testLog(location)];
    const id = await testSession(one.log);
    const reader = follow(one.feed, id, 0);
    const heard: unknown[] = [];
    one.feed.hear('commands', (payload) => heard.push(payload));
    await expect.poll(() => reader.seqs()).toEqual([1]);
    await other.feed.close();
    await other.log.append(id, at(1, stop('a', 'x')));

    one.feed.lookAgain();

    await expect.poll(() => reader.seqs()).toEqual([1, 2]);
    expect(heard).toContain(undefined);
  });

  test('after the connection was lost, readers find what they missed and listeners look again', async () => {
    const location = await freshLocation('postgres');
    const [one, other] = [await testLog(location), await testLog(location)];
    const id = await testSession(one.log);
    const reader = follow(other.feed, id, 0);
    const heard: unknown[] = [];
    other.feed.hear('commands', (payload) => heard.push(payload));
    await expect.poll(() => reader.heard.length).toBe(1);

    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and (query ilike 'listen%' or query ilike 'select pg_notify%')`.execute(
      one.store.tables<HubTables>(),
    );
    await one.log.append(id, at(1, stop('a', 'x')));

    await expect.poll(() => reader.seqs()).toEqual([1, 2]);
    await expect.poll(() => heard).toContain(undefined);
    await one.log.append(id, at(1, stop('b', 'x')));
    await expect.poll(() => reader.seqs(), { timeout: 60_000 }).toEqual([1, 2, 3]);
  });
});
