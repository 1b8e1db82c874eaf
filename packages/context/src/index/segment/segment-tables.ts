import type { Migration } from '@dragoman/server';

/** Which segments are in force. A file without a row here is nobody's; a row without its file is mended at the next use. */
export interface SegmentTables {
  context_segments: {
    id: string;
    files: number;
    bytes: number;
    made_at: number;
  };
  /** What the file of a segment holds, where several servers share a database: each has a folder of its own. */
  context_segment_pieces: { segment: string; piece: number; bytes: Uint8Array };
}

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
