import { expect, test } from 'vitest';
import { TurnBudget } from './turn-budget.ts';

test('each limit ends the turn when it is reached, and says which it was', () => {
  let now = 0;
  const budget = new TurnBudget({ steps: 3, wallMs: 60_000, compactions: 2 }, () => now);
  budget.spend({ steps: 2, tokens: 1_000_000, compactions: 1 });
  expect(budget.exceeded()).toBeUndefined();

  now = 60_000;
  expect(budget.exceeded()).toEqual({
    code: 'budget',
    message: 'The turn was stopped: it used its budget of 60 seconds.',
    details: { budget: 'wallMs', limit: 60_000, used: 60_000 },
  });
});

test('the time is told when it is up, and not after the watch has ended', () => {
  let now = 0;
  const told: string[] = [];
  const watch = (wallMs: number) => new TurnBudget({ wallMs }, () => now).watch(({ message }) => told.push(message))();
  watch(1e12); // Further ahead than any timer.
  now = 5;
  new TurnBudget({ wallMs: 0 }, () => now).watch(({ message }) => told.push(message));
  watch(1_000);

  expect(told).toEqual(['The turn was stopped: it used its budget of 0 seconds.']);
});

test('without limits nothing is ever used up', () => {
  const budget = new TurnBudget({});
  budget.spend({ steps: 1e6, cost: 1e6 });
  budget.watch(() => expect.unreachable())();
  expect(budget.exceeded()).toBeUndefined();
});
