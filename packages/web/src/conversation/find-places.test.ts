import { expect, test } from 'vitest';
import { findPlaces, placeOfSeq } from './find-places.ts';
import { rowsOf } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';

function rows() {
  const session = sessionOf();
  session.turn('Where is the door?');
  session.block('assistant', { type: 'thinking', thinking: 'A door, a door.' });
  session.call('task', 'task', { input: { description: 'look for it' } });
  session.call('inner', 'bash', { parent_tool_use_id: 'task', input: { options: { deep: ['ls door.*'] } } });
  session.call('one', 'read', { input: { filePath: 'src/door.ts' } });
  session.call('two', 'read', { input: { filePath: 'src/window.ts' } });
  session.say('In DOOR.ts (see above).');
  return rowsOf(session.view());
}

test('a text is found wherever it was said, each time, also in what is folded away, and with what must be folded out for it', () => {
  expect(findPlaces(rows(), 'door')).toEqual([
    { rowKey: 'pmt_1', opens: ['prompt pmt_1'], nth: 0 },
    { rowKey: 'blk_1', opens: ['thinking blk_1'], nth: 0 },
    { rowKey: 'blk_1', opens: ['thinking blk_1'], nth: 1 },
    { rowKey: 'call task', opens: ['call task', 'call inner'], nth: 0 },
    { rowKey: 'calls one', opens: ['calls one', 'call one'], nth: 0 },
    { rowKey: 'blk_10', opens: [], nth: 0 },
  ]);
});

test('signs mean themselves, and nothing finds nothing', () => {
  expect(findPlaces(rows(), '(see')).toEqual([{ rowKey: 'blk_10', opens: [], nth: 0 }]);
  expect(findPlaces(rows(), 'door.*')).toEqual([{ rowKey: 'call task', opens: ['call task', 'call inner'], nth: 0 }]);
  expect(findPlaces(rows(), '  ')).toEqual([]);
  expect(findPlaces(rows(), 'elsewhere')).toEqual([]);
});

test('an event leads to what began with it or last before it', () => {
  const all = rows();
  const inner = all.find((row) => row.type === 'call')!;

  expect(placeOfSeq(all, inner.since + 2)).toMatchObject({ rowKey: 'call task', opens: ['call task', 'call inner'] });
  expect(placeOfSeq(all, 1_000_000)).toMatchObject({ rowKey: 'blk_10' });
  expect(placeOfSeq(all, 1)).toMatchObject({ rowKey: 'pmt_1' });
  expect(placeOfSeq([], 1)).toBeUndefined();
});
