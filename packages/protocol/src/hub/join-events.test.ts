import { expect, test } from 'vitest';
import type { HubEvent, LoggedHubEvent } from './hub-event.ts';
import { joinEvents } from './join-events.ts';
import { created, numbered } from './random-session.fixture.ts';

const ofBlock = (blockId: string) => ({ messageId: 'msg_1', role: 'assistant' as const, blockId });
const start = (blockId: string): HubEvent => ({
  type: 'block-start',
  ...ofBlock(blockId),
  block: { type: 'text', text: '' },
});
const delta = (blockId: string, text: string): HubEvent => ({ type: 'block-delta', blockId, delta: text });
const stop = (blockId: string, text: string): HubEvent => ({
  type: 'block-stop',
  ...ofBlock(blockId),
  block: { type: 'text', text },
});
const finished: HubEvent = { type: 'turn-finished', turnId: 'trn_1', reason: 'done' };

const joined = (...events: HubEvent[]): LoggedHubEvent[] => joinEvents(numbered(events));

test('a block that ended stands whole under its last number and tells where it was opened [UAP-03]', () => {
  expect(joined(created, start('a'), delta('a', 'on'), delta('a', 'e'), stop('a', 'one'))).toEqual([
    { seq: 1, at: 10, event: created },
    { seq: 5, at: 50, event: { ...stop('a', 'one'), since: { seq: 2, at: 20 } } },
  ]);
});

test('a block that is open stands as far as it is, and can be joined on', () => {
  const open = joined(start('a'), delta('a', 'on'), finished);
  const sofar = { ...start('a'), block: { type: 'text', text: 'on' }, since: { seq: 1, at: 10 } };
  expect(open).toEqual([
    { seq: 2, at: 20, event: sofar },
    { seq: 3, at: 30, event: finished },
  ]);
  expect(joinEvents([open[0]!, { seq: 7, at: 70, event: stop('a', 'one') }])).toEqual([
    { seq: 7, at: 70, event: { ...stop('a', 'one'), since: { seq: 1, at: 10 } } },
  ]);
});

test('the input of a call that is not whole is put together beside it', () => {
  const use: HubEvent = {
    type: 'block-start',
    ...ofBlock('a'),
    block: { type: 'tool_use', id: 'call_1', name: 'ls', input: {} },
  };
  expect(joined(use, delta('a', '{"p'), delta('a', 'ath"'))).toEqual([
    { seq: 3, at: 30, event: { ...use, inputText: '{"path"', since: { seq: 1, at: 10 } } },
  ]);
});

test('deltas of one block become one, also between those of others', () => {
  expect(joined(delta('a', '1'), delta('b', '2'), delta('a', '3'), delta('b', '4'), delta('c', '5'))).toEqual([
    { seq: 3, at: 30, event: delta('a', '13') },
    { seq: 4, at: 40, event: delta('b', '24') },
    { seq: 5, at: 50, event: delta('c', '5') },
  ]);
});

test('a block that is said again takes the place of the first, in the message where it was opened', () => {
  const other: HubEvent = { ...(stop('a', 'two') as Extract<HubEvent, { type: 'block-stop' }>), messageId: 'msg_2' };
  expect(joined(stop('a', 'one'), delta('a', 'late'), other)).toEqual([
    { seq: 3, at: 30, event: { ...stop('a', 'two'), since: { seq: 1, at: 10 } } },
  ]);
});

test('what nothing is joined with stays the same object', () => {
  const events = numbered([created, start('a'), stop('b', 'x'), finished]);
  const result = joinEvents(events);
  expect(result).toHaveLength(4);
  for (const [index, logged] of result.entries()) expect(logged).toBe(events[index]);
});
