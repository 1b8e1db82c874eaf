import type { Migration } from '@dragoman/server/base';

/**
 * The ninth step of the room's tables: machines that are away or forgotten, what the hub ended in their place, and
 * sessions that moved to another one.
 */
export const absenceMigration: Migration = {
  number: 9,
  title: 'machines that are gone',
  onlyAdds: true,
  async up(db, { text, integer }) {
    await db.schema.alterTable('hub_runners').addColumn('forgotten_at', integer).execute();
    await db.schema.alterTable('hub_sessions').addColumn('ended_turn_id', text).execute();
    await db.schema.alterTable('hub_sessions').addColumn('closed_number', integer).execute();
    await db.schema.alterTable('hub_sessions').addColumn('moved_seq', integer).execute();
  },
};
