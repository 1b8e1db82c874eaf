import type { Migration } from '@dragoman/server';

/** Which segments are in force. A file without a row here is nobody's; a row without its file is mended at the next use. */
export interface SegmentTables {
  context_segments: {
    id: string;
    files: number;
    bytes: number;
    made_at: number;
    /** The space of its vectors, '' where it has none; null where a program wrote it that did not say. */
    vectors: string | null;
  };
  /** What the file of a segment holds, where several servers share a database: each has a folder of its own. */
  context_segment_pieces: { segment: string; piece: number; bytes: Uint8Array };
  /** Blobs that a server is building a segment of, packed, and when it would be given up for dead by the clock of the database. */
  context_builds: {
    id: string;
    names: Uint8Array;
    until: number;
    /** 1 where a question at another server waits for them. */
    wanted: number | null;
  };
}

/** The sixth step. */
export const segmentVectorMigration: Migration = {
  number: 6,
  title: 'which vectors segments have, and which builds are waited for',
  onlyAdds: true,
  async up(db, types) {
    await db.schema.alterTable('context_segments').addColumn('vectors', types.text).execute();
    await db.schema.alterTable('context_builds').addColumn('wanted', types.integer).execute();
  },
};

/** The fifth step. */
export const buildMigration: Migration = {
  number: 5,
  title: 'who builds which segments',
  onlyAdds: true,
  async up(db, types) {
    await db.schema
      .createTable('context_builds')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('names', types.bytes, (column) => column.notNull())
      .addColumn('until', types.integer, (column) => column.notNull())
      .execute();
  },
};

/** The fourth step of the room's tables. */
export const segmentPieceMigration: Migration = {
  number: 4,
  title: 'segments of the index, for servers that did not write them',
  onlyAdds: true,
  async up(db, types) {
    await db.schema
      .createTable('context_segment_pieces')
      .addColumn('segment', types.text, (column) => column.notNull())
      .addColumn('piece', types.integer, (column) => column.notNull())
      .addColumn('bytes', types.bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('context_segment_pieces_key', ['segment', 'piece'])
      .execute();
  },
};

export const segmentMigration: Migration = {
  number: 3,
  title: 'segments of the index',
  async up(db, types) {
    await db.schema
      .createTable('context_segments')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('files', types.integer, (column) => column.notNull())
      .addColumn('bytes', types.integer, (column) => column.notNull())
      .addColumn('made_at', types.integer, (column) => column.notNull())
      .execute();
  },
};
