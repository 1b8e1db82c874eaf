import type { Role, TokenId, TokenRole, UserId } from '@dragoman/protocol';
import { sql } from 'kysely';
import type { RoomMigrations } from '../store/migration.ts';

export interface AccessTables {
  users: { id: UserId; name: string; role: Role; created_at: number };
  tokens: {
    id: TokenId;
    user_id: UserId;
    name: string;
    kind: TokenKind;
    role: TokenRole;
    lookup: string;
    hash: Uint8Array;
    created_at: number;
    expires_at: number | null;
    last_used_at: number | null;
    revoked_at: number | null;
    made_by: TokenId | null;
    /** Patterns of the models it may use, as JSON; null where it may use all. */
    models: string | null;
  };
  login_codes: { hash: Uint8Array; user_id: UserId; expires_at: number; made_by: TokenId | null };
}

/** A client's token is shown to a person once; a browser's is never shown. */
export type TokenKind = 'client' | 'browser';

export const accessMigrations: RoomMigrations = {
  room: 'access',
  migrations: [
    {
      number: 1,
      title: 'users, tokens and login codes',
      async up(db, types) {
        await db.schema
          .createTable('users')
          .addColumn('id', types.text, (column) => column.primaryKey())
          .addColumn('name', types.text, (column) => column.notNull().unique())
          .addColumn('role', types.text, (column) => column.notNull())
          .addColumn('created_at', types.integer, (column) => column.notNull())
          .execute();
        await db.schema
          .createTable('tokens')
          .addColumn('id', types.text, (column) => column.primaryKey())
          .addColumn('user_id', types.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
          .addColumn('name', types.text, (column) => column.notNull())
          .addColumn('kind', types.text, (column) => column.notNull())
          .addColumn('role', types.text, (column) => column.notNull())
          .addColumn('lookup', types.text, (column) => column.notNull().unique())
          .addColumn('hash', types.bytes, (column) => column.notNull())
          .addColumn('created_at', types.integer, (column) => column.notNull())
          .addColumn('expires_at', types.integer)
          .addColumn('last_used_at', types.integer)
          .addColumn('revoked_at', types.integer)
          .execute();
        await db.schema
          .createTable('login_codes')
          .addColumn('hash', types.bytes, (column) => column.primaryKey())
          .addColumn('user_id', types.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
          .addColumn('expires_at', types.integer, (column) => column.notNull())
          .execute();
      },
    },
    {
      number: 2,
      title: 'which token made a token',
      async up(db, types) {
        await db.schema.alterTable('tokens').addColumn('made_by', types.text).execute();
        await db.schema.alterTable('login_codes').addColumn('made_by', types.text).execute();
        // Their cookie was all there was to them.
        await sql`delete from tokens where kind = 'browser'`.execute(db);
      },
    },
    {
      number: 3,
      title: 'which models a token may use',
      async up(db, types) {
        await db.schema.alterTable('tokens').addColumn('models', types.text).execute();
      },
    },
  ],
};
