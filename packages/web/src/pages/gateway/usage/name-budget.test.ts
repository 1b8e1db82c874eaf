import { expect, test } from 'vitest';
import { type BudgetNames, nameBudget } from './name-budget.ts';

const WORDS: BudgetNames = {
  everyone: 'everybody',
  scope: {
    token: (name) => `token ${name}`,
    user: (name) => `user ${name}`,
    role: (name) => `role ${name}`,
    route: (name) => `model ${name}`,
  },
  eachOf: { user: 'each user', token: 'each token' },
  per: { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' },
  and: ', ',
};
const name = (budget: Parameters<typeof nameBudget>[0]) => nameBudget(budget, WORDS, { member: 'Member' });

test('a budget is named by whom it is for and how long it lasts', () => {
  expect(name({ scope: {}, per: 'month' })).toBe('everybody · a month');
  expect(name({ scope: { role: 'member', route: 'fast' }, per: 'day' })).toBe('role Member, model fast · a day');
  expect(name({ scope: { token: 'ci' }, per: 'hour' })).toBe('token ci · an hour');
});

test('a share is named by whose it is', () => {
  expect(name({ scope: {}, each: 'user', per: 'week' })).toBe('each user · a week');
  expect(name({ scope: {}, each: 'user', share: 'ann', per: 'week' })).toBe('ann · a week');
  expect(name({ scope: { route: 'fast' }, each: 'token', share: 'ann/desk', per: 'week' })).toBe(
    'model fast · ann/desk · a week',
  );
});
