import type { Kysely } from 'kysely';
import type { UsageTables } from '../metering/usage-tables.ts';
import type { Spent } from './describe-budget.ts';
import type { SpentRow } from './budget-tables.ts';
import type { ApplyingBudget } from './find-budgets.ts';

const MILLION = 1_000_000;
/** What was spent longer ago is forgotten. */
const KEPT_MS = 400 * 24 * 3_600_000;

/** What a call adds to a budget when it has ended. */
export interface Spending {
  tokens: number;
  micros: number;
  unknownCalls: number;
}

type Tables = Kysely<UsageTables>;

/** One more call, where that leaves every budget within its limits: the rows, or the budget that is spent. */
export async function reserveCall(
  db: Tables,
  budgets: readonly ApplyingBudget[],
  /** What calls of this process have spent that is not in the store yet. */
  onItsWay: (key: string) => Spending | undefined,
): Promise<SpentRow[] | { spent: ApplyingBudget }> {
  const [only, another] = budgets;
  if (only !== undefined && another === undefined) {
    const row = await countCall(db, only, onItsWay(only.key));
    return row === undefined ? { spent: only } : [row];
  }
  // All or none. The order is the same for everybody, so that nobody waits for each other.
  const ordered = budgets.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const refused: { spent?: ApplyingBudget } = {};
  try {
    return await db.transaction().execute(async (transaction) => {
      const rows: SpentRow[] = [];
      for (const budget of ordered) {
        const row = await countCall(transaction, budget, onItsWay(budget.key));
        if (row === undefined) {
          refused.spent = budget;
          throw new Rollback();
        }
        rows.push(row);
      }
      return rows;
    });
  } catch (error) {
    if (refused.spent === undefined) throw error;
    return { spent: refused.spent };
  }
}

class Rollback extends Error {}

async function countCall(
  db: Tables,
  budget: ApplyingBudget,
  onItsWay: Spending | undefined,
): Promise<SpentRow | undefined> {
  const { requests = Infinity, tokens = Infinity, dollars = Infinity } = budget.limits;
  const most = (limit: number, waiting = 0) => Math.min(Number.MAX_SAFE_INTEGER, limit) - waiting;
  return db
    .insertInto('budget_spent')
    .values({
      key: budget.key,
      budget: budget.id,
      share: budget.share,
      starts_at: budget.startsAt,
      requests: 1,
      tokens: 0,
      micros: 0,
      unknown_calls: 0,
      is_warned: 0,
    })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({ requests: row('budget_spent.requests', '+', 1) }))
        .where('budget_spent.requests', '<', most(requests))
        .where('budget_spent.tokens', '<', most(tokens, onItsWay?.tokens))
        .where('budget_spent.micros', '<', most(Math.round(dollars * MILLION), onItsWay?.micros)),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Adds what calls have spent, by the key of the budget. */
export async function addSpending(db: Tables, spent: ReadonlyMap<string, Spending>): Promise<void> {
  for (const [key, { tokens, micros, unknownCalls }] of [...spent].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    await db
      .updateTable('budget_spent')
      .set((row) => ({
        tokens: row('tokens', '+', tokens),
        micros: row('micros', '+', micros),
        unknown_calls: row('unknown_calls', '+', unknownCalls),
      }))
      .where('key', '=', key)
      .execute();
}

/** Whether this is the first time that a warning is due. */
export async function claimWarning(db: Tables, key: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('budget_spent')
    .set({ is_warned: 1 })
    .where('key', '=', key)
    .where('is_warned', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function readSpent(db: Tables, key: string): Promise<Spent | undefined> {
  return db
    .selectFrom('budget_spent')
    .select(['requests', 'tokens', 'micros'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** The shares of a budget in a period, or those of some keys; those that spent most first. */
export async function listShares(
  db: Tables,
  { budget, startsAt, keys, most }: { budget: string; startsAt: number; keys?: readonly string[]; most: number },
): Promise<SpentRow[]> {
  return db
    .selectFrom('budget_spent')
    .selectAll()
    .where('budget', '=', budget)
    .where('starts_at', '=', startsAt)
    .$if(keys !== undefined, (query) => query.where('key', 'in', keys!))
    .orderBy('micros', 'desc')
    .orderBy('tokens', 'desc')
    .orderBy('requests', 'desc')
    .orderBy('share')
    .limit(most)
    .execute();
}

export async function forgetOldPeriods(db: Tables, now: number): Promise<void> {
  await db
    .deleteFrom('budget_spent')
    .where('starts_at', '<', now - KEPT_MS)
    .execute();
}
