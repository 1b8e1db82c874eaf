import type { Migration } from '@dragoman/server';
import { type ColumnDefinitionBuilder, sql } from 'kysely';

/**
 * Names are kept as the 64 characters of the wire and not as 32 bytes: they are what every question, answer and log line
 * carries, so nothing is converted on the way, and against the content beside them the difference is small.
 */
export interface BlobTables {
  context_blobs: {
    name: string;
    path: string;
    /** Bytes of the text before packing. */
    size: number;
    /** The piece of the index that holds it; null until it can be found. */
    segment: string | null;
    created_at: number;
    /** Packed with zstd. */
    content: Uint8Array;
  };
  /** Who uploaded which blob. Knowing a name is not enough to see the content. */
  context_owners: {
    user_id: string;
    blob_name: string;
    /** A day, counted from 1970: it is written once a day at most. */
    last_used: number;
  };
  context_checkpoints: {
    id: string;
    user_id: string;
    /** What `added` and `deleted` change; null where `added` is the whole set. */
    parent: string | null;
    /** How many parents there are. */
    depth: number;
    /** Names in this change and in those of all its parents but the last. */
    changed: number;
    /** 32 bytes a name. */
    added: Uint8Array;
    deleted: Uint8Array;
    made_at: number;
    /** A day, counted from 1970. Never less than that of a checkpoint built on it. */
    used_at: number;
  };
  /** How often each user was given blobs: what was not theirs before may be since this changed. */
  context_uploads: { user_id: string; uploads: number };
  /** The blobs of a commit, as a client registered them. */
  context_blobsets: {
    user_id: string;
    commit_sha: string;
    commit_time: string;
    checkpoint_id: string;
    registered_at: number;
  };
}

/** The seventh step of the room's tables. */
export const uploadMigration: Migration = {
  number: 7,
  title: 'how often users were given blobs',
  onlyAdds: true,
  async up(db, types) {
    await db.schema
      .createTable('context_uploads')
      .addColumn('user_id', types.text, (column) => column.primaryKey())
      .addColumn('uploads', types.integer, (column) => column.notNull())
      .execute();
  },
};

export const blobMigration: Migration = {
  number: 1,
  title: 'blobs, their owners and checkpoints',
  async up(db, types) {
    const isSqlite = types.bytes === 'blob';
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    // The content stands last: SQLite then reads the other columns without touching the pages it fills.
    await db.schema
      .createTable('context_blobs')
      .addColumn('name', types.text, (column) => column.primaryKey())
      .addColumn('path', types.text, required)
      .addColumn('size', types.integer, required)
      .addColumn('segment', types.text)
      .addColumn('created_at', types.integer, required)
      .addColumn('content', types.bytes, required)
      .execute();
    // It is packed already; PostgreSQL would try once more.
    if (!isSqlite) await sql`alter table context_blobs alter column content set storage external`.execute(db);
    await db.schema.createIndex('context_blobs_segment').on('context_blobs').columns(['segment', 'name']).execute();

    const owners = db.schema
      .createTable('context_owners')
      .addColumn('user_id', types.text, required)
      .addColumn('blob_name', types.text, required)
      .addColumn('last_used', types.integer, required)
      .addPrimaryKeyConstraint('context_owners_key', ['user_id', 'blob_name']);
    await (isSqlite ? owners.modifyEnd(sql`without rowid`) : owners).execute();
    await db.schema.createIndex('context_owners_blob').on('context_owners').column('blob_name').execute();
    await db.schema.createIndex('context_owners_used').on('context_owners').column('last_used').execute();

    await db.schema
      .createTable('context_checkpoints')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('user_id', types.text, required)
      .addColumn('parent', types.text)
      .addColumn('depth', types.integer, required)
      .addColumn('changed', types.integer, required)
      .addColumn('made_at', types.integer, required)
      .addColumn('used_at', types.integer, required)
      .addColumn('added', types.bytes, required)
      .addColumn('deleted', types.bytes, required)
      .execute();
    await db.schema
      .createIndex('context_checkpoints_made')
      .on('context_checkpoints')
      .columns(['user_id', 'made_at'])
      .execute();
    await db.schema.createIndex('context_checkpoints_used').on('context_checkpoints').column('used_at').execute();

    await db.schema
      .createTable('context_blobsets')
      .addColumn('user_id', types.text, required)
      .addColumn('commit_sha', types.text, required)
      .addColumn('commit_time', types.text, required)
      .addColumn('checkpoint_id', types.text, required)
      .addColumn('registered_at', types.integer, required)
      .addPrimaryKeyConstraint('context_blobsets_key', ['user_id', 'commit_sha'])
      .execute();
  },
};
