import type { Migration } from '@dragoman/server';
import type { ColumnDefinitionBuilder } from 'kysely';

/** What people allowed for good. */
export interface ApprovalTables {
  agent_approvals: {
    id: string;
    /** The folder of the project it holds for. */
    project: string;
    tool: string;
    /** Of the subject, or null where it is about every kind. */
    kind: string | null;
    pattern: string;
    /** Of the columns above, so that the same is saved once: together they are too long for a key. */
    digest: string;
    created_at: number;
  };
}

/** The approvals of the room. */
export const approvalMigration: Migration = {
  number: 2,
  title: 'approvals that hold for a project',
  async up(db, types) {
    const required = (column: ColumnDefinitionBuilder) => column.notNull();
    await db.schema
      .createTable('agent_approvals')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('project', types.text, required)
      .addColumn('tool', types.text, required)
      .addColumn('kind', types.text)
      .addColumn('pattern', types.text, required)
      .addColumn('digest', types.text, (column) => column.notNull().unique())
      .addColumn('created_at', types.integer, required)
      .execute();
  },
};
