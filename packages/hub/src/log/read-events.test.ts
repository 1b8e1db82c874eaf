import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { eventsToJson } from './read-events.ts';
import { at, stop, testLog, testSession } from './session-log.fixture.ts';

test.each(STORE_ENGINES)('events of the store are passed on as they stand there (%s)', async (engine) => {
  const { log } = await testLog(engine);
  const id = await testSession(log);
  await log.append(
    id,
    at(1000, stop('a', 'one "line"\nand 另一行 \u2028'), stop('b', { type: 'thinking', thinking: '…' })),
  );

  const events = (await log.readPage(id, 0, 10)).events;

  expect(events).toHaveLength(3);
  expect(JSON.parse(eventsToJson(events))).toEqual(events);
  expect(eventsToJson(events)).toBe(JSON.stringify(events));
  expect(eventsToJson([{ seq: 9, at: 1, event: events[1]!.event }, events[2]!])).toBe(
    JSON.stringify([{ seq: 9, at: 1, event: events[1]!.event }, events[2]]),
  );
});

test.each(STORE_ENGINES)('the last events come in their order, as many as fit (%s)', async (engine) => {
  const { log } = await testLog(engine);
  const id = await testSession(log);
  await log.append(id, at(1000, stop('a', 'one'), stop('b', 'x'.repeat(200_000)), stop('c', 'y'.repeat(100_000))));
  await log.append(id, at(2000, stop('d', 'two')));
  const last = async (count: number) => (await log.readLast(id, count)).map(({ seq }) => seq);
  expect([await last(1), await last(2), await last(3), await last(100)]).toEqual([[5], [4, 5], [4, 5], [4, 5]]);
  expect(await log.readLast('ses_none', 10)).toEqual([]);
});
