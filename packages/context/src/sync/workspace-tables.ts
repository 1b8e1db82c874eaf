import type { Migration } from '@dragoman/server';
import type { ColumnDefinitionBuilder } from 'kysely';

export interface WorkspaceTables {
  context_workspaces: {
    id: string;
    user_id: string;
    /** The machine the files are on. */
    host: string;
    root: string;
    name: string;
    /** Where its blobs are: `local`, or the address of a server. */
    server: string;
    created_at: number;
    updated_at: number;
  };
  context_files: {
    workspace_id: string;
    path: string;
    size: number;
    mtime: number;
    ctime: number;
    inode: number;
    is_settled: number;
    blob_name: string | null;
    /** Why it has no blob. */
    left_out: string | null;
    status: number;
  };
  /** What `KnownFolders` packs. It never says more than the files' rows: it is written after them. */
  context_folders: {
    workspace_id: string;
    folders: Uint8Array;
  };
}

/** Workspaces and what is known of their files. The tables of blobs are another step. */
export const workspaceMigration: Migration = {
  number: 2,
  title: 'workspaces and their files',
  async up(db, types) {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    await db.schema
      .createTable('context_workspaces')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('user_id', types.text, required)
      .addColumn('host', types.text, required)
      .addColumn('root', types.text, required)
      .addColumn('name', types.text, required)
      .addColumn('server', types.text, required)
      .addColumn('created_at', types.integer, required)
      .addColumn('updated_at', types.integer, required)
      .addUniqueConstraint('context_workspaces_place', ['user_id', 'host', 'root'])
      .execute();
    await db.schema
      .createTable('context_files')
      .addColumn('workspace_id', types.text, (column) =>
        column.notNull().references('context_workspaces.id').onDelete('cascade'),
      )
      .addColumn('path', types.text, required)
      .addColumn('size', types.integer, required)
      // As the system gives them, fractions and all: they are compared for equality.
      .addColumn('mtime', 'double precision', required)
      .addColumn('ctime', 'double precision', required)
      .addColumn('inode', 'double precision', required)
      .addColumn('is_settled', types.integer, required)
      .addColumn('blob_name', types.text)
      .addColumn('left_out', types.text)
      .addColumn('status', types.integer, required)
      .addPrimaryKeyConstraint('context_files_key', ['workspace_id', 'path'])
      .execute();
    await db.schema
      .createTable('context_folders')
      .addColumn('workspace_id', types.text, (column) =>
        column.primaryKey().references('context_workspaces.id').onDelete('cascade'),
      )
      .addColumn('folders', types.bytes, required)
      .execute();
  },
};
