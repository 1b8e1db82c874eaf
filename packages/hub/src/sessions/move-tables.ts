import type { Migration } from '@dragoman/server/base';

/** The eleventh step of the room's tables. Of a session that an older program moves nothing is told when its machine went on. */
export const moveMigration: Migration = {
  number: 11,
  title: 'the machines that sessions were moved from',
  onlyAdds: true,
  async up(db, { text }) {
    await db.schema.alterTable('hub_sessions').addColumn('left_runner_id', text).execute();
  },
};
