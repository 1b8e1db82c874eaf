import { expect, test } from 'vitest';
import { mergeSessions } from './merge-sessions.ts';
import { hubSession } from './session.fixture.ts';

const at = (id: string, updatedAt: number, more = {}) => hubSession({ id, updatedAt, ...more });
const idsOf = (given: Parameters<typeof mergeSessions>[0]) => mergeSessions(given).map(({ id }) => id);

test('the live list says how sessions are now, and what is missing there is gone', () => {
  const loaded = [at('a', 3), at('gone', 2), at('b', 1)];
  const newest = [at('b', 9, { title: 'New title' }), at('a', 3), at('new', 10)];

  const merged = mergeSessions({ loaded, newest, reach: 200, filter: { archived: false } });

  expect(merged.map(({ id, title }) => [id, title])).toEqual([
    ['new', 'new'],
    ['b', 'New title'],
    ['a', 'a'],
  ]);
});

test('beyond the reach of the live list, pages stay as they were read', () => {
  const loaded = [at('a', 9), at('gone', 8), at('c', 3), at('d', 2)];
  const newest = [at('a', 9), at('b', 5)];

  expect(idsOf({ loaded, newest, reach: 2, filter: { archived: false } })).toEqual(['a', 'b', 'c', 'd']);
});

test('pinned sessions come first however old they are, and say nothing about how far the live list reaches', () => {
  const loaded = [at('pinned', 1, { isPinned: true }), at('a', 9), at('gone', 8), at('c', 3)];
  const newest = [at('a', 9), at('pinned', 1, { isPinned: true }), at('b', 5)];

  expect(idsOf({ loaded, newest, reach: 3, filter: { archived: false } })).toEqual(['pinned', 'a', 'b', 'c']);
});

test('the live list is filtered as the server does it, and has no say about archived sessions', () => {
  const newest = [at('a', 3, { status: 'failed' }), at('b', 2, { isPinned: true }), at('c', 1, { folder: '/x' })];
  const loaded = [at('old', 1, { isArchived: true })];
  const by = (filter: object) => idsOf({ loaded: [], newest, reach: 200, filter: { archived: false, ...filter } });

  expect([by({ status: 'failed' }), by({ pinned: true }), by({ folder: '/x' }), by({ agent: 'other' })]).toEqual([
    ['a'],
    ['b'],
    ['c'],
    [],
  ]);
  expect(idsOf({ loaded, newest, reach: 200, filter: { archived: true } })).toEqual(['old']);
  expect(idsOf({ loaded, newest: undefined, reach: 200, filter: { archived: false } })).toEqual(['old']);
});
