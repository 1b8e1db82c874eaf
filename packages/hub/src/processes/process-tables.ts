import type { Migration } from '@dragoman/server/base';

/** Who is at work on the store. Only PostgreSQL is shared by several, and only there it is filled. */
export interface ProcessTables {
  hub_processes: {
    id: string;
    /** The database's own time: clocks of machines differ. */
    seen_at: number;
  };
}

/** The tenth step of the room's tables. An older program leaves the column empty, and its machines are known by their signs of life. */
export const processMigration: Migration = {
  number: 10,
  title: 'the processes of a hub, and which of them a machine is connected to',
  onlyAdds: true,
  async up(db, { text, integer }) {
    await db.schema
      .createTable('hub_processes')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('seen_at', integer, (column) => column.notNull())
      .execute();
    await db.schema.alterTable('hub_runners').addColumn('connected_to', text).execute();
  },
};
