import type { BudgetInfo } from '@dragoman/protocol/console';

/** The words that a budget is named with, in one language. */
export interface BudgetNames {
  everyone: string;
  scope: Record<keyof BudgetInfo['scope'], (name: string) => string>;
  eachOf: Record<NonNullable<BudgetInfo['each']>, string>;
  per: Record<BudgetInfo['per'], string>;
  and: string;
}

/** Whom a budget is for and how long it lasts, in a line. */
export function nameBudget(
  { scope, each, share, per }: Pick<BudgetInfo, 'scope' | 'each' | 'share' | 'per'>,
  words: BudgetNames,
  roles: Readonly<Record<string, string>>,
): string {
  const parts = (['token', 'user', 'role', 'route'] as const).flatMap((kind) => {
    const name = scope[kind];
    return name === undefined ? [] : [words.scope[kind](kind === 'role' ? (roles[name] ?? name) : name)];
  });
  const whose = share ?? (each === undefined ? undefined : words.eachOf[each]);
  const whom = parts.length === 0 ? (whose ?? words.everyone) : parts.join(words.and);
  return [whom, ...(parts.length > 0 && whose !== undefined ? [whose] : []), words.per[per]].join(' · ');
}
