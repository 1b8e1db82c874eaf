import type { Migration } from '@dragoman/server/base';
import type { ColumnDefinitionBuilder } from 'kysely';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** The third step of the room's tables. */
export const revertMigration: Migration = {
  number: 3,
  title: 'what reverts took out of sessions',
  async up(db, { text, integer }) {
    await db.schema
      .createTable('hub_reverts')
      .addColumn('session_id', text, (column) => column.notNull().references('hub_sessions.id').onDelete('cascade'))
      .addColumn('seq', integer, required)
      .addColumn('since', integer, required)
      .addColumn('prompts_json', text, required)
      .addPrimaryKeyConstraint('hub_reverts_key', ['session_id', 'seq'])
      .execute();
  },
};
