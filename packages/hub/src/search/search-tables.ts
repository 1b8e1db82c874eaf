import type { Migration } from '@dragoman/server/base';
import { type ColumnDefinitionBuilder, sql } from 'kysely';

/** What can be found: a piece of something that was said, as words for the index. */
export interface SearchTables {
  hub_search: {
    /** Rises with the time it was indexed. Not the database's own: that would begin again after a restored backup. */
    id: number;
    session_id: string;
    /** The event that says it; 0 for the title. */
    seq: number;
    block_id: string | null;
    kind: string;
    role: string;
    at: number;
    words: string;
  };
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/**
 * The second step of the room's tables.
 *
 * Both engines keep the same rows. What finds them is made from the rows by the engine itself, a full-text table that
 * triggers fill or an index over an expression, so a backup needs only the rows.
 */
export const searchMigration: Migration = {
  number: 2,
  title: 'what was said, for the search',
  async up(db, { text, integer }) {
    const isPostgres = integer === 'bigint';
    await db.schema
      .createTable('hub_search')
      .addColumn('id', integer, (column) => column.primaryKey())
      .addColumn('session_id', text, (column) => column.notNull().references('hub_sessions.id').onDelete('cascade'))
      .addColumn('seq', integer, required)
      .addColumn('block_id', text)
      .addColumn('kind', text, required)
      .addColumn('role', text, required)
      .addColumn('at', integer, required)
      .addColumn('words', text, required)
      .execute();
    await db.schema.createIndex('hub_search_place').on('hub_search').columns(['session_id', 'seq']).execute();
    await sql`create index hub_search_block on hub_search (session_id, block_id) where block_id is not null`.execute(
      db,
    );
    await sql`create index hub_sessions_unindexed on hub_sessions (updated_at) where seq > indexed_seq`.execute(db);
    if (isPostgres) {
      await sql`create index hub_search_words on hub_search using gin (to_tsvector('simple', words))`.execute(db);
      return;
    }
    await sql`create virtual table hub_search_words using fts5 (
      words, content = 'hub_search', content_rowid = 'id', tokenize = 'ascii', prefix = '3 4 5')`.execute(db);
    await sql`create trigger hub_search_added after insert on hub_search begin
      insert into hub_search_words (rowid, words) values (new.id, new.words); end`.execute(db);
    await sql`create trigger hub_search_removed after delete on hub_search begin
      insert into hub_search_words (hub_search_words, rowid, words) values ('delete', old.id, old.words); end`.execute(
      db,
    );
  },
};
