import type { Migration } from '@dragoman/server';
import type { ColumnDefinitionBuilder } from 'kysely';

/** Sessions of the native agent and their logs. */
export interface SessionTables {
  agent_sessions: {
    id: string;
    /** The project. */
    root: string;
    cwd: string;
    title: string;
    /** The session whose task it does, or null. */
    parent_id: string | null;
    created_at: number;
    updated_at: number;
    /** Which process works on it, and until when that holds. */
    holder: string | null;
    held_until: number | null;
  };
  /** One row is what was written at once: some events as a JSON list, the last of them with the number `seq`. */
  agent_events: {
    session_id: string;
    seq: number;
    events: string;
  };
}

/** The first step of the room's tables. */
export const sessionMigration: Migration = {
  number: 1,
  title: 'sessions of the agent and their logs',
  async up(db, types) {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    await db.schema
      .createTable('agent_sessions')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('root', types.text, required)
      .addColumn('cwd', types.text, required)
      .addColumn('title', types.text, required)
      .addColumn('parent_id', types.text)
      .addColumn('created_at', types.integer, required)
      .addColumn('updated_at', types.integer, required)
      .addColumn('holder', types.text)
      .addColumn('held_until', types.integer)
      .execute();
    await db.schema.createIndex('agent_sessions_root').on('agent_sessions').columns(['root', 'updated_at']).execute();
    await db.schema
      .createTable('agent_events')
      .addColumn('session_id', types.text, (column) =>
        column.notNull().references('agent_sessions.id').onDelete('cascade'),
      )
      .addColumn('seq', types.integer, required)
      .addColumn('events', types.text, required)
      .addPrimaryKeyConstraint('agent_events_key', ['session_id', 'seq'])
      .execute();
  },
};
