import type { Store } from '@dragoman/server/base';
import type { HubTables } from '../hub-tables.ts';

/** Whether a session was left with a turn that has not ended, a prompt that waits, or a question. */
export async function hasUnfinishedWork(store: Store): Promise<boolean> {
  const row = await store
    .tables<HubTables>()
    .selectFrom('hub_sessions')
    .select('id')
    .where((where) => where.or([where('turn_id', 'is not', null), where('queued', '>', 0), where('waiting', '>', 0)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
