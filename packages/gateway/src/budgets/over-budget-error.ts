import { RefusedCall } from '../policy/refused-call.ts';
import { type BudgetAmount, nameBudget, showAmount } from './describe-budget.ts';
import type { ApplyingBudget } from './find-budgets.ts';

/** Says which budget is spent, how much of it there was, and when it opens again. */
export function overBudget(budget: ApplyingBudget, amounts: readonly BudgetAmount[], now: number): RefusedCall {
  const spent = amounts.filter((amount) => amount.spent >= amount.limit);
  const shown = (spent.length === 0 ? amounts : spent).map(showAmount).join(', ');
  const opens = `${new Date(budget.endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new RefusedCall(
    'over-budget',
    `The budget for ${nameBudget(budget.limits, budget.share)}, is used up: ${shown}. It resets at ${opens}. An admin can raise it ("budgets" in dragoman.json).`,
    { retryAfterMs: budget.endsAt - now },
  );
}

/** Says that a model has no known price where the budget lets only priced ones be asked. */
export function notPriced(budget: ApplyingBudget, target: string): RefusedCall {
  return new RefusedCall(
    'over-budget',
    `The price of ${target} is not known, and the budget for ${nameBudget(budget.limits, budget.share)}, only allows models with a known price. Set it in dragoman.json, under providers.NAME.prices.`,
  );
}
