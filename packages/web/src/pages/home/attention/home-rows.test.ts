import type { HubSession, WaitingApproval } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { homeRows, type HomeRow } from './home-rows.ts';
import { linger, type ShownRow, withoutRepeats } from './linger.ts';

function session(id: string, createdAt = 0): HubSession {
  return { id, createdAt } as HubSession;
}

function approval(id: string, sessionId: string, askedAt: number): WaitingApproval {
  return { id, sessionId, askedAt } as WaitingApproval;
}

const NONE = { waiting: [], failed: [], unread: [], running: [], quiet: [] };

test('questions come first, the oldest on top, then failures, what is unread, and what runs', () => {
  const asking = session('asking');
  const rows = homeRows(
    {
      ...NONE,
      waiting: [asking],
      failed: [session('broken')],
      unread: [session('done')],
      running: [session('old', 1), session('new', 2)],
    },
    [approval('second', 'asking', 20), approval('first', 'asking', 10)],
  );
  expect(rows.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    'waiting first',
    'waiting second',
    'failed broken',
    'unread done',
    'running new',
    'running old',
  ]);
  expect(rows[0]).toMatchObject({ session: asking });
});

function row(kind: HomeRow['kind'], key: string, sessionId = key): HomeRow {
  return { kind, key, sessionId } as HomeRow;
}

function told(shown: readonly ShownRow[]): string[] {
  return shown.map(({ row: { key }, isGone }) => (isGone ? `${key} gone` : key));
}

test('a row that is settled stays where it was', () => {
  const [a, b, c] = [row('waiting', 'a'), row('waiting', 'b'), row('unread', 'c')];
  const before = linger([], [a, b, c]);
  expect(told(before)).toEqual(['a', 'b', 'c']);
  const settled = linger(before, [a, c]);
  expect(told(settled)).toEqual(['a', 'b gone', 'c']);
  expect(told(linger(settled, [a]))).toEqual(['a', 'b gone', 'c gone']);
  expect(told(linger(settled, [a, b, c]))).toEqual(['a', 'b', 'c']);
});

test('the first of the list stays first, and new rows find their place around those that go', () => {
  const before = linger([], [row('waiting', 'a'), row('waiting', 'b')]);
  expect(told(linger(before, [row('waiting', 'b'), row('waiting', 'n')]))).toEqual(['a gone', 'b', 'n']);
});

test('a session that wants something new is not shown twice, and one that stopped running just goes', () => {
  const before = linger([], [row('unread', 's'), row('running', 'r')]);
  expect(told(linger(before, [row('waiting', 'question', 's')]))).toEqual(['question']);
  expect(linger(before, [row('running', 's')])).toEqual([{ row: row('running', 's'), isGone: false }]);
});

test('a session whose question was answered is shown to run only when the answer has gone', () => {
  const asking = row('waiting', 'question', 's');
  const answered = linger(linger([], [asking]), [row('running', 's'), row('running', 'other')]);
  expect(told(withoutRepeats(answered))).toEqual(['question gone', 'other']);
  expect(told(withoutRepeats(answered.filter(({ isGone }) => !isGone)))).toEqual(['s', 'other']);
});
