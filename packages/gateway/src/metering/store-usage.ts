import type { Kysely } from 'kysely';
import { addSpending, type Spending } from '../budgets/budget-ledger.ts';
import type { UsageLogRow, WaitingUsage } from './usage-row.ts';
import type { UsageTables } from './usage-tables.ts';

/** Stores rows that are not stored yet, and adds what their calls used to the budgets: both or none, and once. */
export async function storeUsage(db: Kysely<UsageTables>, waiting: readonly WaitingUsage[]): Promise<void> {
  const rows = waiting.map(({ budgets: _budgets, estimate: _estimate, ...row }): UsageLogRow => row);
  if (waiting.every(({ budgets }) => budgets === undefined)) {
    await insertNew(db, rows).execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    const stored = await insertNew(transaction, rows).returning('id').execute();
    const ids = new Set(stored.map(({ id }) => id));
    await addSpending(transaction, sumUp(waiting.filter(({ id }) => ids.has(id))));
  });
}

/** What a call used of its budgets. */
export function spendingOf(row: WaitingUsage): Spending {
  const { input_tokens, output_tokens, cost_micros, error_code, estimate } = row;
  if (estimate !== undefined) return { ...estimate, unknownCalls: 1 };
  const isKnown = input_tokens !== null && cost_micros !== null;
  return {
    tokens: (input_tokens ?? 0) + (output_tokens ?? 0),
    micros: cost_micros ?? 0,
    unknownCalls: isKnown || error_code !== null ? 0 : 1,
  };
}

function insertNew(db: Kysely<UsageTables>, rows: readonly UsageLogRow[]) {
  return db
    .insertInto('usage_log')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing());
}

function sumUp(waiting: readonly WaitingUsage[]): Map<string, Spending> {
  const totals = new Map<string, Spending>();
  for (const row of waiting) {
    const { tokens, micros, unknownCalls } = spendingOf(row);
    for (const key of row.budgets ?? []) {
      const sum = totals.get(key) ?? { tokens: 0, micros: 0, unknownCalls: 0 };
      totals.set(key, {
        tokens: sum.tokens + tokens,
        micros: sum.micros + micros,
        unknownCalls: sum.unknownCalls + unknownCalls,
      });
    }
  }
  return totals;
}
