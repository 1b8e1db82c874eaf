import type { Migration } from '@dragoman/server/base';
import { sql } from 'kysely';

/** The seventh step of the room's tables. Sessions get the number and the time of what was new in them last. */
export const newsMigration: Migration = {
  number: 7,
  title: 'what is new in a session',
  async up(db, { integer }) {
    await db.schema
      .alterTable('hub_sessions')
      .addColumn('news_seq', integer, (column) => column.notNull().defaultTo(0))
      .execute();
    const lastNews = (column: string) => sql`(
      select ${sql.ref(column)} from hub_events
      where session_id = hub_sessions.id and (
        block_id is not null
        or event like '{"type":"block-stop"%'
        or event like '{"type":"turn-%'
        or event like '{"type":"prompt-queued"%'
        or event like '{"type":"prompt-taken"%'
        or event like '{"type":"approval-asked"%'
        or event like '{"type":"revert-failed"%'
        or event like '{"type":"agent-state","state":"failed"%')
      order by seq desc limit 1)`;
    await sql`update hub_sessions
      set news_seq = coalesce(${lastNews('seq')}, 0), updated_at = coalesce(${lastNews('at')}, created_at)`.execute(db);
  },
};
