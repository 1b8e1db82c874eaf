import type { RoomMigrations } from '@dragoman/server/base';

/** The console of every version that runs on this database, by names that hold the hash of what is in them. */
export interface ConsoleAssetTables {
  console_assets: { name: string; body: Uint8Array; is_packed: number; seen_at: number };
}

export const consoleAssetMigrations: RoomMigrations = {
  room: 'console',
  migrations: [
    {
      number: 1,
      title: 'files of the console for servers of another version',
      onlyAdds: true,
      async up(db, { text, bytes, integer }) {
        await db.schema
          .createTable('console_assets')
          .addColumn('name', text, (column) => column.primaryKey())
          .addColumn('body', bytes, (column) => column.notNull())
          .addColumn('is_packed', integer, (column) => column.notNull())
          .addColumn('seen_at', integer, (column) => column.notNull())
          .execute();
      },
    },
  ],
};
