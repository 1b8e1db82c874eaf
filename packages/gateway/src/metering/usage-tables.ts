import type { RoomMigrations } from '@dragoman/server';
import type { ColumnDefinitionBuilder } from 'kysely';
import { createBudgetSpent, type SpentRow } from '../budgets/budget-tables.ts';
import { createKeptResponses } from '../dialects/openai-responses/kept-tables.ts';

export interface UsageTables {
  usage_log: {
    id: string;
    at: number;
    user_id: string;
    user_name: string;
    token_name: string;
    dialect: string;
    route: string;
    target: string;
    is_streamed: number;
    input_tokens: number | null;
    output_tokens: number | null;
    reasoning_tokens: number | null;
    cache_read_tokens: number | null;
    cache_write_tokens: number | null;
    /** Millionths of a US dollar. */
    cost_micros: number | null;
    cost_source: string | null;
    first_event_ms: number | null;
    total_ms: number;
    finish_reason: string;
    error_code: string | null;
    repairs: number;
    redactions: number;
    attempts: number;
    /** JSON of the `CallFailure`s. */
    failures: string | null;
  };
  budget_spent: SpentRow;
  client_reports: { id: string; at: number; user_name: string; message: string };
}

export const gatewayMigrations: RoomMigrations = {
  room: 'gateway',
  migrations: [
    {
      number: 1,
      title: 'usage log and client reports',
      async up(db, types) {
        const required = (column: ColumnDefinitionBuilder) => column.notNull();
        await db.schema
          .createTable('usage_log')
          .addColumn('id', types.text, (column) => column.primaryKey())
          .addColumn('at', types.integer, required)
          .addColumn('user_id', types.text, required)
          .addColumn('user_name', types.text, required)
          .addColumn('token_name', types.text, required)
          .addColumn('dialect', types.text, required)
          .addColumn('route', types.text, required)
          .addColumn('target', types.text, required)
          .addColumn('is_streamed', types.integer, required)
          .addColumn('input_tokens', types.integer)
          .addColumn('output_tokens', types.integer)
          .addColumn('reasoning_tokens', types.integer)
          .addColumn('cache_read_tokens', types.integer)
          .addColumn('cache_write_tokens', types.integer)
          .addColumn('cost_micros', types.integer)
          .addColumn('cost_source', types.text)
          .addColumn('first_event_ms', types.integer)
          .addColumn('total_ms', types.integer, required)
          .addColumn('finish_reason', types.text, required)
          .addColumn('error_code', types.text)
          .addColumn('repairs', types.integer, required)
          .addColumn('redactions', types.integer, required)
          .addColumn('attempts', types.integer, required)
          .execute();
        await db.schema.createIndex('usage_log_at').on('usage_log').column('at').execute();
        await db.schema
          .createTable('client_reports')
          .addColumn('id', types.text, (column) => column.primaryKey())
          .addColumn('at', types.integer, required)
          .addColumn('user_name', types.text, required)
          .addColumn('message', types.text, required)
          .execute();
      },
    },
    { number: 2, ...createKeptResponses },
    { number: 3, ...createBudgetSpent },
    {
      number: 4,
      title: 'why targets did not answer',
      async up(db, types) {
        await db.schema.alterTable('usage_log').addColumn('failures', types.text).execute();
      },
    },
  ],
};
