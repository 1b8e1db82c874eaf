import type { Migration } from '@dragoman/server';

/** What was spent of a budget, or of one share of it, in a period. */
export interface SpentRow {
  key: string;
  /** Which budget, whatever the period and the share. */
  budget: string;
  /** Whose share, by name; empty where it is shared. */
  share: string;
  starts_at: number;
  /** Calls that were let through, those that are running included. */
  requests: number;
  tokens: number;
  /** Millionths of a US dollar. */
  micros: number;
  /** Calls that ended and whose tokens or price nobody knows. */
  unknown_calls: number;
  is_warned: number;
}

/** A step of the gateway's migrations. */
export const createBudgetSpent: Omit<Migration, 'number'> = {
  title: 'what was spent of budgets',
  async up(db, types) {
    await db.schema
      .createTable('budget_spent')
      .addColumn('key', types.text, (column) => column.primaryKey())
      .addColumn('budget', types.text, (column) => column.notNull())
      .addColumn('share', types.text, (column) => column.notNull())
      .addColumn('starts_at', types.integer, (column) => column.notNull())
      .addColumn('requests', types.integer, (column) => column.notNull())
      .addColumn('tokens', types.integer, (column) => column.notNull())
      .addColumn('micros', types.integer, (column) => column.notNull())
      .addColumn('unknown_calls', types.integer, (column) => column.notNull())
      .addColumn('is_warned', types.integer, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('budget_spent_budget').on('budget_spent').columns(['budget', 'starts_at']).execute();
  },
};
