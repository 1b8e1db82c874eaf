import type { Migration } from '@dragoman/server/base';

/** The twelfth step of the room's tables. An older program leaves the columns empty. */
export const homeMigration: Migration = {
  number: 12,
  title: "which machines are a server's own, and which of these a terminal belongs to",
  onlyAdds: true,
  async up(db, { text, integer }) {
    await db.schema.alterTable('hub_runners').addColumn('is_server', integer).execute();
    await db.schema.alterTable('hub_runners').addColumn('home_runner_id', text).execute();
  },
};
