import { expect, test } from 'vitest';
import { TurnBudget } from './turn-budget.ts';

test('each limit ends the turn when it is reached, and says which it was', () => {
  let now = 0;
  const budget = new TurnBudget({ steps: 3, wallMs: 60_000, compactions: 2 }, () => now);
  budget.spend({ steps: 2, tokens: 1_000_000, compactions: 1 });
  expect(budget.exceeded()).toBeUndefined();
  expect(budget.remainingMs).toBe(60_000);

  now = 60_000;
  expect(budget.exceeded()).toEqual({
    code: 'budget',
    message: 'The turn was ended: it has used its budget of 60 seconds.',
    details: { budget: 'wallMs', limit: 60_000, used: 60_000 },
  });
  expect(budget.remainingMs).toBe(0);
});

test('without limits nothing is ever used up', () => {
  const budget = new TurnBudget({});
  budget.spend({ steps: 1e6, cost: 1e6 });
  expect([budget.exceeded(), budget.remainingMs]).toEqual([undefined, undefined]);
});
