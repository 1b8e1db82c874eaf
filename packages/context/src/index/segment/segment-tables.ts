import type { Migration } from '@dragoman/server';

/** Which segments are in force. A file without a row here is nobody's; a row without its file is mended at the next use. */
export interface SegmentTables {
  context_segments: {
    id: string;
    files: number;
    bytes: number;
    made_at: number;
  };
}

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
