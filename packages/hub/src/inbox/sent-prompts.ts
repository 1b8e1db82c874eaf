import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

/** Prompts that the machine of a session was given, and has not said yet what became of them; the oldest first. */
export async function sentPrompts(db: Kysely<HubTables>, sessionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('hub_prompts')
    .select('id')
    .where('session_id', '=', sessionId)
    .where('state', '=', 'sent')
    .orderBy('created_at')
    .execute();
  return rows.map(({ id }) => id);
}
