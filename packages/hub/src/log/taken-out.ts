import type { LoggedHubEvent } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

/** What reverts took out of a session. The log still has it; nobody is shown it. */
export interface TakenOut {
  spans: readonly { since: number; until: number }[];
  promptIds: ReadonlySet<string>;
}

/** What was taken out of a session so far. */
export async function readTakenOut(db: Kysely<HubTables>, sessionId: string): Promise<TakenOut> {
  const rows = await db
    .selectFrom('hub_reverts')
    .select(['seq', 'since', 'prompts_json'])
    .where('session_id', '=', sessionId)
    .execute();
  return {
    spans: rows.map(({ seq, since }) => ({ since, until: seq })),
    promptIds: new Set(rows.flatMap(({ prompts_json }) => JSON.parse(prompts_json) as string[])),
  };
}

/**
 * Whether an event says something that was taken out, by the same rule as the fold of the log. A turn that began before stays,
 * and so does its end.
 */
export function isTakenOut({ spans, promptIds }: TakenOut, { seq, event }: LoggedHubEvent): boolean {
  if (spans.length === 0) return false;
  const isWithin = (at: number) => spans.some(({ since, until }) => since <= at && at < until);
  switch (event.type) {
    case 'block-start':
    case 'block-stop':
      return isWithin(event.since?.seq ?? seq);
    case 'prompt-queued':
      return promptIds.has(event.prompt.id);
    case 'prompt-taken':
    case 'turn-started':
    case 'approval-asked':
      return isWithin(seq);
    default:
      return false;
  }
}
