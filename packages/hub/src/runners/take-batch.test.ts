import { newId, type OutboxRecord } from '@dragoman/protocol';
import type { Store } from '@dragoman/server/base';
import { rounds, STORE_ENGINES } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import type { React } from '../log/session-change.ts';
import { randomBatches } from '../log/random-session.fixture.ts';
import { stop, testLog, testSession } from '../log/session-log.fixture.ts';
import { takeBatch } from './take-batch.ts';

async function testRunner(engine: 'sqlite' | 'postgres', react?: React) {
  const { store, log, logger } = await testLog(engine, react);
  await addRunner(store, 'run_test');
  const sessionId = await testSession(log);
  return {
    store,
    log,
    logger,
    sessionId,
    /** Sends records with the numbers from `first` on. */
    send: (first: number, ...records: unknown[]) =>
      takeBatch({ log, logger }, 'run_test', { outboxId: 'box', first, records: records as OutboxRecord[] }),
    texts: async () =>
      (await log.readPage(sessionId, 1, 1000)).events.map(({ event }) =>
        event.type === 'block-stop' && event.block.type === 'text' ? event.block.text : event.type,
      ),
    runner: () => store.tables<HubTables>().selectFrom('hub_runners').selectAll().executeTakeFirstOrThrow(),
  };
}

async function addRunner(store: Store, id: string) {
  const row = { id, name: id, host: '', version: '', owner_id: 'usr_ada', owner_name: 'Ada', is_shared: 0 };
  const rest = { folders_json: '[]', agents_json: '[]', outbox_id: 'box', acked: 0, handled: 0, commanded: 9 };
  await store
    .tables<HubTables>()
    .insertInto('hub_runners')
    .values({ ...row, ...rest, last_seen_at: 0 })
    .execute();
}

const says = (sessionId: string, text: string) => ({ sessionId, at: 5, event: stop(newId('blk'), text) });

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('UAP-03 what comes twice is stored once, and a gap is refused with the number to go on from', async () => {
    const { send, texts, sessionId } = await testRunner(engine);
    const records = ['a', 'b', 'c', 'd'].map((text) => says(sessionId, text));

    expect(await send(1, ...records.slice(0, 3))).toEqual({ acked: 3 });
    expect(await send(1, ...records.slice(0, 2))).toEqual({ acked: 3 });
    expect(await send(2, ...records.slice(1))).toEqual({ acked: 4 });
    await expect(send(6, says(sessionId, 'f'))).rejects.toMatchObject({ code: 'conflict', acked: 4 });

    expect(await texts()).toEqual(['a', 'b', 'c', 'd']);
  });

  test('UAP-03 the same batch sent twice at the same time is stored once', async () => {
    const { send, texts, sessionId } = await testRunner(engine);
    const records = [says(sessionId, 'a'), says(sessionId, 'b')];

    expect(await Promise.all([send(1, ...records), send(1, ...records), send(1, ...records)])).toEqual([
      { acked: 2 },
      { acked: 2 },
      { acked: 2 },
    ]);

    expect(await texts()).toEqual(['a', 'b']);
  });

  test('a long batch is stored in several transactions, in order, and one that comes twice is the same as once', async () => {
    const { send, texts, sessionId, runner } = await testRunner(engine);
    const said = Array.from({ length: 950 }, (_, number) => `${number}`);
    const records: unknown[] = said.map((text) => says(sessionId, text));
    records.splice(300, 0, ...Array.from({ length: 40 }, () => ({})), { handled: 3 });

    expect(await send(1, ...records)).toEqual({ acked: 991 });
    expect(await send(1, ...records)).toEqual({ acked: 991 });

    expect(await texts()).toEqual(said);
    expect(await runner()).toMatchObject({ acked: 991, handled: 3 });
  });

  test('what cannot be read, has no session, or belongs to another runner is passed over and told, and the rest is stored', async () => {
    const { send, texts, sessionId, log, logger } = await testRunner(engine);
    const foreign = await testSession(log, { runnerId: 'run_other' });

    const acked = await send(
      1,
      null,
      says(sessionId, 'a'),
      { sessionId, at: 5, event: { type: 'telepathy' } },
      { sessionId, at: 1e300, event: stop('t', 'never') },
      says('ses_gone', 'x'),
      says(foreign, 'x'),
      { sessionId, at: 5, event: { type: 'session-updated', title: 'Mine', by: { type: 'agent' } } },
      says(sessionId, 'b'),
    );

    expect(acked).toEqual({ acked: 8 });
    expect(await texts()).toEqual(['a', 'b']);
    expect((await log.readPage(foreign, 1, 10)).events).toEqual([]);
    expect(logger.warnings).toEqual([
      {
        fields: { runnerId: 'run_test', unreadable: 4, withoutSession: 2, failed: 0 },
        message: 'records of a runner were passed over',
      },
    ]);
  });

  test('one event that cannot be stored takes no other along', async () => {
    const { send, texts, sessionId, logger, runner } = await testRunner(engine, async ({ db, events, session }) => {
      for (const { event } of events) {
        if (event.type !== 'approval-asked') continue;
        const row = { session_id: session.id, id: event.approval.id, approval_json: '{}', asked_at: 1, expires_at: 2 };
        const rest = { state: 'waiting' as const, reply_json: null, by_json: null, decided_at: null };
        await db
          .insertInto('hub_approvals')
          .values({ ...row, ...rest })
          .execute();
      }
    });
    const approval = { id: 'apr_1', title: 'May I?', options: [] };
    const asks = { sessionId, at: 5, event: { type: 'approval-asked', approval } };

    expect(await send(1, says(sessionId, 'a'), asks, asks, says(sessionId, 'b'))).toEqual({ acked: 4 });

    expect(await texts()).toEqual(['a', 'approval-asked', 'b']);
    expect(logger.warnings.map(({ fields }) => fields)).toEqual([
      { runnerId: 'run_test', unreadable: 0, withoutSession: 0, failed: 1 },
    ]);
    expect((await runner()).acked).toBe(4);
  });

  test('a failure that passes changes nothing, so the batch can come again', async () => {
    let isAway = false;
    const { send, texts, sessionId, runner } = await testRunner(engine, async () => {
      if (isAway) throw Object.assign(new Error('the disk is full'), { errcode: 13, code: '53100' });
    });

    isAway = true;
    const records = [says(sessionId, 'a'), { sessionId, at: 5, event: { type: 'agent-state', state: 'ready' } }];
    await expect(send(1, ...records)).rejects.toThrow('the disk is full');
    expect([(await runner()).acked, await texts()]).toEqual([0, []]);
    isAway = false;

    expect(await send(1, ...records)).toEqual({ acked: 2 });
    expect(await texts()).toEqual(['a', 'agent-state']);
  });

  test('commands that were carried out are gone, and a number that was never given is not believed', async () => {
    const { send, store, sessionId, runner } = await testRunner(engine);
    const db = store.tables<HubTables>();
    for (const number of [7, 8, 9])
      await db
        .insertInto('hub_commands')
        .values({ runner_id: 'run_test', number, session_id: sessionId, command_json: '{}' })
        .execute();

    await send(1, says(sessionId, 'a'), { handled: 7 }, { handled: 8 });
    expect((await runner()).handled).toBe(8);
    await send(4, { handled: 3 });
    expect((await runner()).handled).toBe(8);
    await send(5, { handled: 1000 });

    expect((await runner()).handled).toBe(8);
    expect(await db.selectFrom('hub_commands').select('number').execute()).toEqual([{ number: 9 }]);
  });

  test('another outbox than the one that was announced is refused, and so is a runner nobody knows', async () => {
    const { log, logger, sessionId } = await testRunner(engine);
    const batch = { outboxId: 'other', first: 1, records: [says(sessionId, 'a') as OutboxRecord] };

    await expect(takeBatch({ log, logger }, 'run_test', batch)).rejects.toMatchObject({ code: 'conflict' });
    await expect(takeBatch({ log, logger }, 'run_none', batch)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('where a block was opened is told by the log, whatever a runner says of it', async () => {
    const { send, log, sessionId } = await testRunner(engine);
    const lie = { ...stop('a', { type: 'notice', text: 'x' }), since: { seq: 0, at: 0 } };

    await send(
      1,
      { sessionId, at: 5, event: lie },
      { sessionId, at: 5, event: { ...stop('b', 'y'), since: lie.since } },
    );

    expect((await log.readPage(sessionId, 1, 10)).events.map(({ event }) => event)).toEqual([
      stop('a', { type: 'notice', text: 'x' }),
      stop('b', 'y'),
    ]);
  });

  test('a large image of an agent is kept beside the log; one that is too large leaves a notice', async () => {
    const { send, log, sessionId, store } = await testRunner(engine);
    const data = Buffer.alloc(3000, 7).toString('base64');
    const image = { type: 'image', media_type: 'image/png', data } as const;
    const result = { type: 'tool_result', tool_use_id: 'c', content: 'shot', attachments: [image] } as const;
    const huge = { ...image, data: 'A'.repeat(13_400_000) };

    await send(
      1,
      { sessionId, at: 5, event: stop('a', result as never) },
      { sessionId, at: 5, event: stop('b', huge) },
    );

    const [first, second] = (await log.readPage(sessionId, 1, 10)).events;
    const [row, ...others] = await store.tables<HubTables>().selectFrom('hub_attachments').selectAll().execute();
    expect(others).toEqual([]);
    expect(Buffer.from(row!.bytes)).toEqual(Buffer.alloc(3000, 7));
    const url = `/api/attachments/${row!.id}`;
    expect(first!.event).toEqual(
      stop('a', { ...result, attachments: [{ type: 'image', media_type: 'image/png', url }] }),
    );
    const text =
      'An attachment was left out: The image has about 10050000 bytes; the limit is 10000000. Send a smaller one.';
    expect(second!.event).toEqual(stop('b', { type: 'notice', level: 'warning', text }));
  });

  test('UAP-03 what several sessions say in one batch is stored as if each had said it alone', async () => {
    const { send, log, store } = await testRunner(engine);
    let next = 1;
    const sendNext = async (records: readonly unknown[]) => {
      if (records.length === 0) return;
      await send(next, ...records);
      next += records.length;
    };
    const stored = async (id: string) => {
      const rows = store.tables<HubTables>().selectFrom('hub_sessions').selectAll().where('id', '=', id);
      const events = store.tables<HubTables>().selectFrom('hub_events').selectAll().where('session_id', '=', id);
      return {
        session: { ...(await rows.executeTakeFirstOrThrow()), id: '' },
        events: (await events.where('seq', '>', 1).orderBy('seq').execute()).map((row) => ({ ...row, session_id: '' })),
      };
    };
    const property = fc.asyncProperty(fc.tuple(randomBatches, randomBatches, randomBatches), async (batches) => {
      const sessions = [await testSession(log), await testSession(log), await testSession(log)];
      const twins = [await testSession(log), await testSession(log), await testSession(log)];
      for (let round = 0; round < Math.max(...batches.map(({ length }) => length)); round++) {
        const said = batches.map((own) => own[round] ?? []);
        const records = (ids: readonly string[], index: number) =>
          said[index]!.map((event, place) => ({ sessionId: ids[index], at: round * 100 + place, event }));
        const together = [0, 1, 2].flatMap((index) => records(sessions, index));
        await sendNext(together.toSorted((one, other) => one.at - other.at));
        for (const index of [0, 1, 2]) await sendNext(records(twins, index));
      }
      for (const [index, id] of sessions.entries()) expect(await stored(id)).toEqual(await stored(twins[index]!));
    });
    await fc.assert(property, { numRuns: rounds(engine === 'sqlite' ? 500 : 200), seed: 5 });
  });

  test('UAP-03 nothing that a runner sends is refused for what it says', async () => {
    const { send, sessionId, texts } = await testRunner(engine);
    let next = 1;
    const property = fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ sessionId: fc.constant(sessionId), at: fc.double(), event: fc.jsonValue() }),
          fc.record({ handled: fc.double() }),
          fc.record({
            sessionId: fc.constant(sessionId),
            at: fc.nat(),
            event: fc.record({
              type: fc.constantFrom('block-start', 'block-delta', 'block-stop', 'agent-updated', 'turn-finished'),
              blockId: fc.string({ unit: 'binary' }),
              messageId: fc.string({ unit: 'binary' }),
              role: fc.constantFrom('user', 'agent', 'nobody'),
              delta: fc.string({ unit: 'binary' }),
              title: fc.string({ unit: 'binary' }),
              turnId: fc.string(),
              reason: fc.constant('done'),
              block: fc.oneof(
                fc.jsonValue(),
                fc.record({ type: fc.constant('text'), text: fc.string({ unit: 'binary' }) }),
                fc.record({
                  type: fc.constant('usage'),
                  input_tokens: fc.double({ noNaN: true, noDefaultInfinity: true }),
                }),
              ),
            }),
          }),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      async (records) => {
        expect(await send(next, ...records)).toEqual({ acked: next + records.length - 1 });
        next += records.length;
      },
    );
    await fc.assert(property, { numRuns: rounds(4000), seed: 11 });
    await send(next, says(sessionId, 'still here'));
    expect((await texts()).at(-1)).toBe('still here');
  });
});
