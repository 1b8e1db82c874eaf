import type { RoomMigrations } from '../store/migration.ts';

/** What several servers have in common. Only PostgreSQL is shared by several. */
export interface SharedSettingsTables {
  /** One row: the layer over the files of all servers. */
  shared_settings: { id: number; number: number; changes_json: string; secrets_json: string };
  /** What each server made of it, with its last sign of life by the clock of the database. */
  settings_servers: {
    id: string;
    name: string;
    seen_at: number;
    /** The state of the layer that it read last. */
    number: number;
    /** Why that is not in force there. */
    problem: string | null;
    /** The settings that are in force there after its next start. */
    next_start_json: string;
  };
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
    {
      number: 2,
      title: 'what each server makes of the settings that it shares',
      onlyAdds: true,
      async up(db, { text, integer }) {
        await db.schema
          .createTable('settings_servers')
          .addColumn('id', text, (column) => column.primaryKey())
          .addColumn('name', text, (column) => column.notNull())
          .addColumn('seen_at', integer, (column) => column.notNull())
          .addColumn('number', integer, (column) => column.notNull())
          .addColumn('problem', text)
          .addColumn('next_start_json', text, (column) => column.notNull())
          .execute();
      },
    },
  ],
};
