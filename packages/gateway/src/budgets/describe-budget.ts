import type { ApplyingBudget } from './find-budgets.ts';
import type { SpentRow } from './budget-tables.ts';

const MILLION = 1_000_000;
/** From this part of a limit on whoever spends is told. */
export const WARNED_FROM = 0.8;

/** Of one limit: how much there is, and how much is gone. */
export interface BudgetAmount {
  unit: 'requests' | 'tokens' | 'dollars';
  spent: number;
  limit: number;
}

type Limits = ApplyingBudget['limits'];

/** What was spent of each limit of a budget. */
export function amountsOf({ requests, tokens, dollars }: Limits, spent: Spent | undefined): BudgetAmount[] {
  const amounts: BudgetAmount[] = [];
  if (requests !== undefined) amounts.push({ unit: 'requests', spent: spent?.requests ?? 0, limit: requests });
  if (tokens !== undefined) amounts.push({ unit: 'tokens', spent: spent?.tokens ?? 0, limit: tokens });
  if (dollars !== undefined) amounts.push({ unit: 'dollars', spent: (spent?.micros ?? 0) / MILLION, limit: dollars });
  return amounts;
}

export type Spent = Pick<SpentRow, 'requests' | 'tokens' | 'micros'>;

/** The largest part of a limit that is gone; 1 when nothing is left. */
export function usedShare(amounts: readonly BudgetAmount[]): number {
  return Math.max(...amounts.map(({ spent, limit }) => spent / limit));
}

/** Whom a budget is for and how long it lasts, in words. */
export function nameBudget({ for: whom = {}, each, per }: Limits, share = ''): string {
  const { token, user, role, route } = whom;
  const parts = [
    token === undefined ? '' : `the token "${token}"`,
    user === undefined ? '' : `the user "${user}"`,
    role === undefined ? '' : `the role "${role}"`,
    route === undefined ? '' : `the model "${route}"`,
  ].filter((part) => part !== '');
  const subject = parts.length === 0 ? 'everyone' : parts.join(' with ');
  const own = each === undefined ? '' : share === '' ? `, each ${each}` : `, ${each} ${share}`;
  return `${subject}${own}, per ${per}`;
}

/** An amount as people write it. */
export function showAmount({ unit, spent, limit }: BudgetAmount): string {
  return unit === 'dollars' ? `$${toCents(spent)} of $${toCents(limit)}` : `${spent} of ${limit} ${unit}`;
}

function toCents(dollars: number): string {
  return dollars >= 0.01 ? dollars.toFixed(2) : String(Number(dollars.toPrecision(2)));
}
