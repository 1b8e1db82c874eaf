import type { HubEvent, HubEventOf } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

type News = HubEventOf<'agent-updated'>;

/** What agents tell of as a list. */
type NewsList = 'models' | 'modes' | 'commands';

/**
 * The last list that the agent of a session told of: its models, its modes or its commands. Nothing where it told none.
 *
 * Other news name the same words, such as whether it has models at all, so only a list counts.
 */
export async function agentNews<List extends NewsList>(
  db: Kysely<HubTables>,
  sessionId: string,
  list: List,
): Promise<NonNullable<News[List]> | undefined> {
  const row = await db
    .selectFrom('hub_events')
    .select('event')
    .where('session_id', '=', sessionId)
    .where('block_id', 'is', null)
    .where('event', 'like', `%"type":"agent-updated"%"${list}":[%`)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const event = JSON.parse(row.event) as HubEvent;
  return event.type === 'agent-updated' ? (event[list] as NonNullable<News[List]> | undefined) : undefined;
}
