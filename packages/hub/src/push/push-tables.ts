import type { Migration } from '@dragoman/server/base';
import type { ColumnDefinitionBuilder } from 'kysely';

/** What notifying browsers keeps. Times are milliseconds, yes and no are 1 and 0, `…_json` holds JSON. */
export interface PushTables {
  /** The one pair of keys that browsers know this server by, made when it is first needed. */
  hub_push_keys: { id: 'vapid'; public_key: string; private_key: string };
  hub_push_subscriptions: {
    id: string;
    user_id: string;
    /** What the browser was logged in with; once that is revoked or has expired nothing is sent any more. */
    token_id: string | null;
    endpoint: string;
    p256dh: string;
    auth: string;
    name: string;
    approvals: number;
    failures: number;
    finished: number;
    language: 'en' | 'zh';
    created_at: number;
    last_error: string | null;
  };
  /** What people are still to be notified of. Whoever deletes a row sends it. */
  hub_push_notes: { id: string; session_id: string; note_json: string; created_at: number };
  /** Who reads which session live, where several processes share the work. */
  hub_readers: { process_id: string; user_id: string; session_id: string; seen_at: number };
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** The fourth step of the room's tables. */
export const pushMigration: Migration = {
  number: 4,
  title: 'browsers that are notified, and what of',
  async up(db, { text, integer }) {
    await db.schema
      .createTable('hub_push_keys')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('public_key', text, required)
      .addColumn('private_key', text, required)
      .execute();
    await db.schema
      .createTable('hub_push_subscriptions')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('user_id', text, required)
      .addColumn('token_id', text)
      .addColumn('endpoint', text, (column) => column.notNull().unique())
      .addColumn('p256dh', text, required)
      .addColumn('auth', text, required)
      .addColumn('name', text, required)
      .addColumn('approvals', integer, required)
      .addColumn('failures', integer, required)
      .addColumn('finished', integer, required)
      .addColumn('language', text, required)
      .addColumn('created_at', integer, required)
      .addColumn('last_error', text)
      .execute();
    await db.schema.createIndex('hub_push_subscriptions_user').on('hub_push_subscriptions').column('user_id').execute();
    await db.schema
      .createTable('hub_push_notes')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('session_id', text, (column) => column.notNull().references('hub_sessions.id').onDelete('cascade'))
      .addColumn('note_json', text, required)
      .addColumn('created_at', integer, required)
      .execute();
    await db.schema
      .createTable('hub_readers')
      .addColumn('process_id', text, required)
      .addColumn('user_id', text, required)
      .addColumn('session_id', text, required)
      .addColumn('seen_at', integer, required)
      .addPrimaryKeyConstraint('hub_readers_key', ['process_id', 'user_id', 'session_id'])
      .execute();
  },
};
