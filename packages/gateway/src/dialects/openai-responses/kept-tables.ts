import type { Migration } from '@dragoman/server';

export interface KeptTables {
  kept_responses: {
    id: string;
    user_id: string;
    /** The response that this one goes on from. */
    previous_id: string | null;
    /** Where the provider keeps it, as "provider/model"; empty where it is kept here. */
    target: string;
    made_at: number;
    /** When somebody last went on from it, or it was made. */
    used_at: number;
    bytes: number;
    /** The items that were sent, and the response; JSON without secrets. Null where the provider keeps them. */
    input: string | null;
    response: string | null;
  };
}

export const createKeptResponses: Omit<Migration, 'number'> = {
  title: 'kept responses',
  async up(db, types) {
    await db.schema
      .createTable('kept_responses')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('user_id', types.text, (column) => column.notNull())
      .addColumn('previous_id', types.text)
      .addColumn('target', types.text, (column) => column.notNull())
      .addColumn('made_at', types.integer, (column) => column.notNull())
      .addColumn('used_at', types.integer, (column) => column.notNull())
      .addColumn('bytes', types.integer, (column) => column.notNull())
      .addColumn('input', types.text)
      .addColumn('response', types.text)
      .execute();
    await db.schema.createIndex('kept_responses_used').on('kept_responses').column('used_at').execute();
    await db.schema.createIndex('kept_responses_user').on('kept_responses').columns(['user_id', 'used_at']).execute();
  },
};
