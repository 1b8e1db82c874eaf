import type { SessionView } from '../session-view.ts';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { rowMaker, rowsOf } from './rows-of.ts';
import type { Row } from './row.ts';

/** Each row in a word or two. */
function told(view: SessionView): string[] {
  return rowsOf(view).map((row) => tell(row));
}

function tell(row: Row): string {
  switch (row.type) {
    case 'prompt':
      return `prompt ${row.message.id}`;
    case 'text':
      return `text ${row.shown.block.text}`;
    case 'call':
      return `call ${row.call.id}${row.call.children.length > 0 ? ` (${row.call.children.map(({ id }) => id).join(' ')})` : ''}`;
    case 'calls':
      return `calls ${row.calls.map(({ id }) => id).join(' ')}`;
    default:
      return row.type;
  }
}

test('calls that only look at things stand together; one that changes something stands alone', () => {
  const session = sessionOf();
  session.turn('look around');
  session.call('a', 'read');
  session.call('b', 'grep');
  session.call('c', 'edit');
  session.call('d', 'read');
  session.say('Seen.');
  session.call('e', 'read');
  session.call('f', 'glob');

  expect(told(session.view())).toEqual(['prompt pmt_1', 'calls a b', 'call c', 'call d', 'text Seen.', 'calls e f']);
});

test('calls are inside of the call that made them; where that leads in a circle or nowhere they stand by themselves', () => {
  const session = sessionOf();
  session.turn('go');
  session.call('task', 'task');
  session.call('inner', 'task', { parent_tool_use_id: 'task' });
  session.call('innermost', 'bash', { parent_tool_use_id: 'inner' });
  session.call('lost', 'bash', { parent_tool_use_id: 'gone' });
  session.call('one', 'bash', { parent_tool_use_id: 'other' });
  session.call('other', 'bash', { parent_tool_use_id: 'one' });
  session.call('self', 'bash', { parent_tool_use_id: 'self' });

  expect(told(session.view())).toEqual([
    'prompt pmt_1',
    'call task (inner)',
    'call lost',
    'call one',
    'call other',
    'call self',
  ]);
});

test('a plan is shown as it is now, what is empty is not shown, and the end of the turn comes last', () => {
  const session = sessionOf();
  session.turn('plan it');
  session.block('assistant', { type: 'plan', entries: [{ content: 'one', status: 'pending' }] });
  session.say('');
  session.say(' \n ');
  session.block('assistant', { type: 'thinking', thinking: '' });
  session.block('assistant', { type: 'plan', entries: [{ content: 'one', status: 'completed' }] });
  session.say('Planned.');
  session.endTurn();

  expect(told(session.view())).toEqual(['prompt pmt_1', 'plan', 'text Planned.', 'turn-end']);
});

test('that a call is tried again is shown while it is waited for, and not when the turn went on or was stopped', () => {
  const text = 'Rate limited. Retrying in 20 s (attempt 2 of 6): The provider "p" answered 429: Slow down.';
  const session = sessionOf();
  session.turn('go');
  session.block('agent', { type: 'notice', level: 'warning', text });
  expect(told(session.view())).toEqual(['prompt pmt_1', 'notice']);

  session.say('Here.');
  expect(told(session.view())).toEqual(['prompt pmt_1', 'text Here.']);

  session.block('agent', { type: 'notice', level: 'warning', text: `explore: ${text}` });
  session.endTurn('cancelled');
  expect(told(session.view())).toEqual(['prompt pmt_1', 'text Here.', 'turn-end']);
});

test('a prompt that was sent into a running turn stands where it was taken up', () => {
  const session = sessionOf();
  session.turn('first');
  session.block('assistant', { type: 'text', text: 'One.' }, { messageId: 'msg_long' });
  session.steer('and this');
  session.block('assistant', { type: 'text', text: 'Two.' }, { messageId: 'msg_long' });

  expect(told(session.view())).toEqual(['prompt pmt_1', 'text One.', 'prompt pmt_2', 'text Two.']);
});

test('a turn that ended before anything was said is told of', () => {
  const session = sessionOf();
  session.add({ type: 'turn-started', turnId: 'trn_x' });
  session.add({ type: 'turn-finished', turnId: 'trn_x', reason: 'interrupted' });
  session.turn('again');

  expect(told(session.view())).toEqual(['turn-end', 'prompt pmt_1']);
});

test('what did not change is the same row as before, so that it is not drawn again', () => {
  const session = sessionOf();
  session.turn('first');
  session.call('a', 'bash');
  session.say('Done.');
  session.endTurn();
  session.turn('second');
  session.call('b', 'bash', {}, { isRunning: true });
  session.open('blk_text', { type: 'text', text: 'Let' });
  const makeRows = rowMaker();
  const before = makeRows(session.view());
  session.add({ type: 'block-delta', blockId: 'blk_text', delta: ' me see' });
  const after = makeRows(session.view());

  expect(after.map(tell)).toEqual([
    'prompt pmt_1',
    'call a',
    'text Done.',
    'turn-end',
    'prompt pmt_2',
    'call b',
    'text Let me see',
  ]);
  expect(after.map((row, index) => row === before[index])).toEqual([true, true, true, true, true, true, false]);

  session.finish('b', 'late');
  const last = makeRows(session.view());
  expect(last.map((row, index) => row === after[index])).toEqual([true, true, true, true, true, false, true]);
});

test('a result counts with its call, wherever it stands; one without a call stands by itself', () => {
  const session = sessionOf();
  session.turn('run');
  session.call('a', 'bash', {}, { isRunning: true });
  session.endTurn('interrupted');
  session.finish('a', 'came late');
  session.finish('unknown', 'from before');
  const rows = rowsOf(session.view());

  expect(rows.map(tell)).toEqual(['prompt pmt_1', 'call a', 'turn-end', 'result']);
  expect(rows[1]).toMatchObject({ call: { result: { block: { content: 'came late' } }, tool: { status: 'Success' } } });
});

test('of attempts that are told one after the other the last one is shown', () => {
  const session = sessionOf();
  const attempt = (number: number, why: string) =>
    session.block('agent', { type: 'notice', text: `Asked again (attempt ${number}): ${why}`, level: 'warning' });
  session.turn('write');
  for (const number of [2, 3, 4]) attempt(number, 'busy');
  attempt(5, 'gone');
  session.say('Here it is.');
  attempt(6, 'gone');
  const texts = rowsOf(session.view()).flatMap((row) => (row.type === 'notice' ? [row.shown.block.text] : []));
  expect(texts).toEqual([
    'Asked again (attempt 4): busy',
    'Asked again (attempt 5): gone',
    'Asked again (attempt 6): gone',
  ]);
});

test('what ended a turn is said once, however the agent said it before', () => {
  const session = sessionOf();
  const message = 'The model was stopped because its answer is longer than 1000000 characters.';
  session.turn('write');
  session.block('agent', {
    type: 'notice',
    text: `${message} Say "continue", or ask for smaller steps.`,
    level: 'warning',
  });
  session.block('agent', { type: 'notice', text: 'The context was summed up.', level: 'info' });
  session.endTurn('limit', { code: 'output-limit', message });
  expect(rowsOf(session.view()).map(tell)).toEqual(['prompt pmt_1', 'notice', 'turn-end']);
});
