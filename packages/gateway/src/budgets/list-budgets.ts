import type { BudgetInfo } from '@dragoman/protocol/console';
import type { Kysely } from 'kysely';
import type { CallOwner } from '../metering/note-call.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { optional } from '../optional.ts';
import type { BudgetConfig } from './budget-config.ts';
import { listShares } from './budget-ledger.ts';
import { periodAt } from './budget-period.ts';
import type { SpentRow } from './budget-tables.ts';
import { amountsOf, usedShare, WARNED_FROM } from './describe-budget.ts';
import { type ApplyingBudget, budgetId, findOwnShares } from './find-budgets.ts';

/** More than anybody looks at; those that spent most come first. */
const MOST_SHARES = 50;

/** What is spent of the budgets now: of all, or of those that the calls of some owners count towards. */
export async function listBudgets(
  db: Kysely<UsageTables>,
  budgets: readonly BudgetConfig[],
  at: number,
  owners?: readonly CallOwner[],
): Promise<BudgetInfo[]> {
  const told: BudgetInfo[] = [];
  for (const limits of budgets) {
    const own = owners === undefined ? undefined : findOwnShares(limits, owners, at);
    if (own?.length === 0) continue;
    const { startsAt } = periodAt(limits.per, at);
    const rows = await listShares(db, {
      budget: budgetId(limits),
      startsAt,
      most: MOST_SHARES,
      ...optional(
        'keys',
        own?.map(({ key }) => key),
      ),
    });
    for (const row of rows.length === 0 ? [undefined] : rows) told.push(toBudgetInfo(limits, row, own, at));
  }
  return told;
}

function toBudgetInfo(
  limits: BudgetConfig,
  row: SpentRow | undefined,
  own: readonly ApplyingBudget[] | undefined,
  at: number,
): BudgetInfo {
  const { token, user, role, route } = limits.for ?? {};
  const { startsAt, endsAt } = periodAt(limits.per, at);
  const amounts = amountsOf(limits, row);
  const used = usedShare(amounts);
  // A person has one share as a user, spent or not, and as many as tokens.
  const share = row?.share ?? (own?.length === 1 ? own[0]?.share : undefined);
  return {
    scope: {
      ...optional('token', token),
      ...optional('user', user),
      ...optional('role', role),
      ...optional('route', route),
    },
    ...optional('each', limits.each),
    ...optional('share', share === '' ? undefined : share),
    per: limits.per,
    startsAt,
    resetsAt: endsAt,
    amounts,
    unknownCalls: limits.tokens === undefined && limits.dollars === undefined ? 0 : (row?.unknown_calls ?? 0),
    isWarned: used >= WARNED_FROM,
    isSpent: used >= 1,
  };
}
