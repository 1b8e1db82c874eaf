import type { Migration } from '@dragoman/server/base';

/** The eighth step of the room's tables. Lists show how far the plan of an agent is; of older sessions with its next change. */
export const planMigration: Migration = {
  number: 8,
  title: 'how far the plan of a session is',
  async up(db, { integer }) {
    for (const column of ['plan_done', 'plan_total'])
      await db.schema
        .alterTable('hub_sessions')
        .addColumn(column, integer, (made) => made.notNull().defaultTo(0))
        .execute();
  },
};
