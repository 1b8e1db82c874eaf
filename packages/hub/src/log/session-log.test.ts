import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import type { SessionChange } from './session-change.ts';
import { at, delta, start, stop, testInfo, testLog, testSession } from './session-log.fixture.ts';

const finished = { type: 'turn-finished', turnId: 'trn_1', reason: 'done' } as const;

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('UAP-03 a session begins with its creation, and is made once however often it is asked for', async () => {
    const { log } = await testLog(engine);
    const info = testInfo();

    const first = await log.create(info, { byUserId: 'usr_ada', at: 5 });
    const again = await log.create(info, { byUserId: 'usr_ada', at: 9 });

    expect([first.isNew, again.isNew]).toEqual([true, false]);
    expect(again.session).toMatchObject({ id: info.id, seq: 1, created_at: 5, title: 'A test', is_named: 0 });
    expect((await log.readPage(info.id, 0, 10)).events).toEqual([
      { seq: 1, at: 5, event: { type: 'session-created', session: info } },
    ]);
  });

  test('UAP-02 UAP-03 a block that is whole in one batch is one row, and its pieces have used up their numbers', async () => {
    const { log } = await testLog(engine);
    const id = await testSession(log);

    const stored = await log.append(id, at(1000, start('a'), delta('a', 'Hel'), delta('a', 'lo'), stop('a', 'Hello')));

    const whole: LoggedHubEvent = {
      seq: 5,
      at: 4000,
      event: { ...stop('a', 'Hello'), since: { seq: 2, at: 1000 } } as LoggedHubEvent['event'],
    };
    expect(stored).toEqual([whole]);
    expect((await log.readPage(id, 1, 10)).events).toEqual([whole]);
  });

  test('UAP-03 pieces are stored as they come and give way to the whole block, which tells where it was opened', async () => {
    const { log } = await testLog(engine);
    const id = await testSession(log);

    await log.append(id, at(1000, start('a')));
    await log.append(id, at(2000, delta('a', 'Hel'), stop('b', 'between')));
    expect((await log.readPage(id, 1, 10)).events.map(({ seq, event }) => [seq, event.type])).toEqual([
      [2, 'block-start'],
      [3, 'block-delta'],
      [4, 'block-stop'],
    ]);
    await log.append(id, at(4000, delta('a', 'lo'), stop('a', 'Hello')));

    expect((await log.readPage(id, 1, 10)).events).toEqual([
      { seq: 4, at: 3000, event: stop('b', 'between') },
      { seq: 6, at: 5000, event: { ...stop('a', 'Hello'), since: { seq: 2, at: 1000 } } },
    ]);
  });

  test('a block that is said again takes the place of what was said before, where that stood', async () => {
    const { log, store } = await testLog(engine);
    const id = await testSession(log);
    const usage = (input_tokens: number) => ({ type: 'usage', input_tokens, cost_usd: 0.25 }) as const;

    await log.append(id, at(1000, stop('u', usage(100))));
    await log.append(id, at(2000, stop('u', usage(300)), stop('v', usage(7))));

    expect((await log.readPage(id, 1, 10)).events).toEqual([
      { seq: 3, at: 2000, event: { ...stop('u', usage(300)), since: { seq: 2, at: 1000 } } },
      { seq: 4, at: 3000, event: stop('v', usage(7)) },
    ]);
    const row = await store.tables<HubTables>().selectFrom('hub_sessions').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ seq: 4, input_tokens: 307, cost_micros: 500_000 });
  });

  test('what a turn left open is one row after it, and can still be ended', async () => {
    const { log } = await testLog(engine);
    const id = await testSession(log);

    await log.append(id, at(1000, start('a'), delta('a', 'Hel')));
    await log.append(id, at(3000, delta('a', 'lo')));
    await log.append(id, at(4000, finished));
    const left = { ...start('a', { type: 'text', text: 'Hello' }), since: { seq: 2, at: 1000 } };
    expect((await log.readPage(id, 1, 10)).events).toEqual([
      { seq: 4, at: 3000, event: left },
      { seq: 5, at: 4000, event: finished },
    ]);
    await log.append(id, at(5000, stop('a', 'Hello there')));

    expect((await log.readPage(id, 1, 10)).events).toEqual([
      { seq: 5, at: 4000, event: finished },
      { seq: 6, at: 5000, event: { ...stop('a', 'Hello there'), since: { seq: 2, at: 1000 } } },
    ]);
  });

  test('the summary of a session follows its events', async () => {
    const { log, store } = await testLog(engine);
    const id = await testSession(log, { title: '' });
    const by = testInfo().by;
    const prompt = {
      id: 'p1',
      content: [{ type: 'text', text: 'Fix\n the \0login' } as const],
      delivery: 'queue' as const,
      by,
    };

    await log.append(id, [
      ...at(1000, { type: 'prompt-queued', prompt }, { type: 'agent-state', state: 'ready', cwd: '/w', branch: 'b' }),
      ...at(2000, { type: 'agent-updated', title: 'Login', agentSessionId: 's-1', capabilities: { steer: true } }),
    ]);
    const read = () => store.tables<HubTables>().selectFrom('hub_sessions').selectAll().executeTakeFirstOrThrow();
    expect(await read()).toMatchObject({
      seq: 4,
      news_seq: 2,
      updated_at: 1000,
      title: 'Login',
      queued: 1,
      agent_state: 'ready',
      agent_session_id: 's-1',
      capabilities_json: '{"steer":true}',
      cwd: '/w',
      branch: 'b',
      last_text: 'Fix the \uFFFDlogin',
    });
    await log.append(
      id,
      at(
        3000,
        { type: 'turn-started', turnId: 't1', promptId: 'p1' },
        { type: 'session-updated', title: 'Mine', pinned: true, by },
      ),
    );
    expect(await read()).toMatchObject({ queued: 0, turn_id: 't1', title: 'Mine', is_named: 1, pinned: 1 });
    const error = { code: 'x', message: 'broken' };
    await log.append(
      id,
      at(
        5000,
        { type: 'agent-updated', title: 'Other' },
        { type: 'turn-finished', turnId: 't1', reason: 'failed', error },
      ),
    );
    expect(await read()).toMatchObject({ title: 'Mine', turn_id: null, last_error_json: JSON.stringify(error) });
  });

  test('a turn that was interrupted is a fault of the session until the next one begins, also once its agent is gone', async () => {
    const { log, store } = await testLog(engine);
    const id = await testSession(log);
    const codeAfter = async (...events: HubEvent[]) => {
      await log.append(id, at(2000, ...events));
      const row = await store
        .tables<HubTables>()
        .selectFrom('hub_sessions')
        .select('last_error_json')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return (JSON.parse(row.last_error_json ?? 'null') as { code: string } | null)?.code;
    };
    const began = (turnId: string): HubEvent => ({ type: 'turn-started', turnId });
    const ended = (turnId: string, reason: 'done' | 'interrupted' | 'cancelled' | 'limit'): HubEvent => ({
      type: 'turn-finished',
      turnId,
      reason,
    });

    expect(await codeAfter(began('t1'), ended('t1', 'interrupted'))).toBe('interrupted');
    expect(await codeAfter({ type: 'agent-state', state: 'stopped' })).toBe('interrupted');
    expect(await codeAfter(began('t2'))).toBeUndefined();
    expect(await codeAfter({ type: 'agent-state', state: 'ready' }, ended('t2', 'limit'))).toBe('limit');
    expect(await codeAfter(began('t3'), ended('t2', 'limit'), ended('t3', 'done'))).toBeUndefined();
    expect(await codeAfter(began('t4'), { type: 'agent-state', state: 'stopped' })).toBe('interrupted');
    expect(await codeAfter(ended('t4', 'cancelled'))).toBeUndefined();
  });

  test('a reaction is part of the transaction, its own events are reacted to, and the world is told after it', async () => {
    const told: string[] = [];
    const react = async (change: SessionChange) => {
      for (const { event } of change.events) {
        if (event.type === 'agent-state') await change.append(at(2000, { type: 'turn-started', turnId: 't1' }));
        if (event.type === 'turn-started') change.afterCommit(() => told.push(`started at ${change.session.seq}`));
      }
    };
    const { log } = await testLog(engine, react);
    const id = await testSession(log);

    await log.append(id, at(1000, { type: 'agent-state', state: 'ready' }));

    expect(told).toEqual(['started at 3']);
    expect((await log.readPage(id, 1, 10)).events.map(({ event }) => event.type)).toEqual([
      'agent-state',
      'turn-started',
    ]);
  });

  test('a reaction that fails takes everything with it, and nobody is told', async () => {
    const { log, feed } = await testLog(engine, async ({ events }) => {
      if (events.some(({ event }) => event.type === 'agent-state')) throw new Error('no');
    });
    const id = await testSession(log);
    const heard: LoggedHubEvent[] = [];
    feed.subscribe(id, 1, { receive: (events) => void heard.push(...events), end: () => {} });

    await expect(log.append(id, at(1000, stop('a', 'lost'), { type: 'agent-state', state: 'ready' }))).rejects.toThrow(
      'no',
    );
    await log.append(id, at(2000, stop('b', 'kept')));

    const kept = [{ seq: 2, at: 2000, event: stop('b', 'kept') }];
    expect((await log.readPage(id, 1, 10)).events).toEqual(kept);
    await expect.poll(() => heard).toEqual(kept);
  });

  test('two reactions that call each other without end are stopped', async () => {
    const { log } = await testLog(engine, (change) =>
      change.events.some(({ event }) => event.type === 'agent-state')
        ? change.append(at(1, { type: 'agent-state', state: 'ready' }))
        : Promise.resolve(),
    );
    const id = await testSession(log);

    await expect(log.append(id, at(1, { type: 'agent-state', state: 'ready' }))).rejects.toThrow(
      `Session ${id} reacts to its own events without end.`,
    );
    expect((await log.readPage(id, 1, 10)).events).toEqual([]);
  });

  test('many who append at once get numbers without a gap, each batch in one piece', async () => {
    const location = await import('@dragoman/testkit').then(({ freshLocation }) => freshLocation(engine));
    const processes = [await testLog(location), await testLog(location)];
    const id = await testSession(processes[0]!.log);

    await Promise.all(
      Array.from({ length: 40 }, (_, batch) =>
        processes[batch % 2]!.log.append(id, at(batch, stop(`${batch}.a`, 'one'), stop(`${batch}.b`, 'two'))),
      ),
    );

    const events = (await processes[0]!.log.readPage(id, 1, 200)).events;
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, index) => index + 2));
    const ids = events.map(({ event }) => (event.type === 'block-stop' ? event.blockId : ''));
    for (let index = 0; index < ids.length; index += 2) expect(ids[index + 1]).toBe(ids[index]!.replace('.a', '.b'));
  });

  test('a session that is not there cannot be changed', async () => {
    const { log } = await testLog(engine);

    await expect(log.append('ses_none', at(1, stop('a', 'x')))).rejects.toThrow('There is no session ses_none.');
  });

  test('a copy says the same, in the same order, under numbers of its own, and keeps its attachments', async () => {
    const { log, store } = await testLog(engine);
    const from = await testSession(log);
    const db = store.tables<HubTables>();
    const attachment = { id: `att_${'0'.repeat(26)}`, session_id: from, name: null, media_type: 'image/png' };
    await db
      .insertInto('hub_attachments')
      .values({ ...attachment, bytes: Buffer.from('png') })
      .execute();
    const image = { type: 'image', media_type: 'image/png', url: `/api/attachments/${attachment.id}` } as const;
    await log.append(from, at(1000, { type: 'agent-updated', agentSessionId: 'theirs', model: 'm' }));
    await log.append(from, at(2000, { type: 'turn-started', turnId: 't' }, start('a')));
    await log.append(from, at(4000, stop('b', image), stop('a', 'Hello'), { ...finished, turnId: 't' }));
    await log.append(from, at(9000, stop('late', 'not copied')));

    const to = testInfo();
    await log.create(to, {
      byUserId: null,
      at: 10_000,
      work: (change) => log.copy({ sessionId: from, throughSeq: 7 }, change),
    });

    const copied = (await log.readPage(to.id, 1, 100)).events;
    expect(copied.map(({ seq, event }) => [seq, event.type])).toEqual([
      [3, 'agent-updated'],
      [4, 'turn-started'],
      [6, 'block-stop'],
      [7, 'block-stop'],
      [8, 'turn-finished'],
    ]);
    expect(copied[0]!.event).toEqual({ type: 'agent-updated', model: 'm' });
    expect(copied[3]!.event).toEqual({ ...stop('a', 'Hello'), since: { seq: 5, at: 3000 } });
    await db.deleteFrom('hub_sessions').where('id', '=', from).execute();
    const kept = await db.selectFrom('hub_attachments').selectAll().execute();
    expect(kept.map((row) => [row.session_id, Buffer.from(row.bytes).toString()])).toEqual([[to.id, 'png']]);
    expect(copied[2]!.event).toEqual(stop('b', { ...image, url: `/api/attachments/${kept[0]!.id}` }));
  });
});
