import { foldHubEvents, type LoggedHubEvent, type SessionView } from '@dragoman/protocol';
import { rounds, STORE_ENGINES } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomBatches } from './random-session.fixture.ts';
import { testInfo, testLog } from './session-log.fixture.ts';

/** A reader that takes some events from the log now and then. */
interface Reader {
  view: SessionView | undefined;
  /** How many it takes after each batch, over and over. */
  appetite: readonly number[];
}

const appetites = fc.array(fc.array(fc.constantFrom(0, 0, 1, 2, 5, 100), { minLength: 1, maxLength: 5 }), {
  minLength: 3,
  maxLength: 6,
});

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('UAP-02 UAP-03 whenever and wherever a reader resumes, live or from the log, it sees what all of it adds up to', async () => {
    const { log, feed } = await testLog(engine);
    const property = fc.asyncProperty(randomBatches, appetites, fc.nat(20), async (batches, hungers, slowness) => {
      const info = testInfo();
      const raw: LoggedHubEvent[] = [{ seq: 1, at: 1, event: { type: 'session-created', session: info } }];
      await log.create(info, { byUserId: null, at: 1 });
      const readers: Reader[] = hungers.map((appetite) => ({ view: undefined, appetite }));
      const live: { view: SessionView | undefined; leave: () => void }[] = [];
      const follow = (from?: SessionView) => {
        const reader = { view: from, leave: () => {} };
        let received = 0;
        reader.leave = feed.subscribe(info.id, from?.seq ?? 0, {
          async receive(events) {
            if (received++ % 3 < slowness % 3) await new Promise(setImmediate);
            reader.view = foldHubEvents(events, reader.view!);
          },
          end: () => {},
        });
        live.push(reader);
      };
      follow();
      for (const [index, batch] of batches.entries()) {
        const events = batch.map((event) => ({ at: raw.length * 10, event }));
        for (const { at, event } of events) raw.push({ seq: raw.length + 1, at, event });
        await log.append(info.id, events);
        for (const reader of readers) {
          const limit = reader.appetite[index % reader.appetite.length]!;
          if (limit === 0) continue;
          reader.view = foldHubEvents((await log.readPage(info.id, reader.view?.seq ?? 0, limit)).events, reader.view!);
        }
        if (index % 4 === 3) follow(readers[0]!.view);
      }

      const expected = foldHubEvents(raw);
      for (const reader of readers) {
        reader.view = foldHubEvents((await log.readPage(info.id, reader.view?.seq ?? 0, 1000)).events, reader.view!);
        expect(reader.view).toEqual(expected);
      }
      for (const reader of live) {
        await expect.poll(() => reader.view?.seq, { interval: 1 }).toBe(raw.length);
        expect(reader.view).toEqual(expected);
        reader.leave();
      }
    });
    await fc.assert(property, { numRuns: rounds(engine === 'sqlite' ? 2000 : 500), seed: 7 });
  });
});
