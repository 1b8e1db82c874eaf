import type { RoomMigrations } from '../store/migration.ts';

/** One row: the layer over the files of all servers. Only PostgreSQL is shared by several. */
export interface SharedSettingsTables {
  shared_settings: { id: number; number: number; changes_json: string; secrets_json: string };
}

export const sharedSettingsMigrations: RoomMigrations = {
  room: 'settings',
  migrations: [
    {
      number: 1,
      title: 'settings that several servers share',
      onlyAdds: true,
      async up(db, { text, integer }) {
        await db.schema
          .createTable('shared_settings')
          .addColumn('id', integer, (column) => column.primaryKey())
          .addColumn('number', integer, (column) => column.notNull())
          .addColumn('changes_json', text, (column) => column.notNull())
          .addColumn('secrets_json', text, (column) => column.notNull())
          .execute();
      },
    },
  ],
};
