import { expect, test } from 'vitest';
import { recentFirst } from './recent-commands.ts';

const GROUPS = { recent: 'Recent', here: 'Here' };
const OPTIONS = [
  { id: 'home', text: 'Home', group: 'Go to' },
  { id: 'stop', text: 'Stop', group: 'Here' },
  { id: 'gateway', text: 'Gateway', group: 'Go to' },
];

test('what belongs to the place comes first, then what was chosen lately, the latest first', () => {
  expect(recentFirst(OPTIONS, ['gateway', 'stop', 'home'], GROUPS).map(({ id, group }) => `${group}: ${id}`)).toEqual([
    'Here: stop',
    'Recent: gateway',
    'Recent: home',
  ]);
});

test('what is gone by now is left out, and each is there once', () => {
  expect(recentFirst(OPTIONS, ['ses_gone', 'gateway'], GROUPS).map(({ id, group }) => `${group}: ${id}`)).toEqual([
    'Here: stop',
    'Recent: gateway',
    'Go to: home',
  ]);
});
