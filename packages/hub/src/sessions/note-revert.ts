import type { HubEvent, HubEventOf, LoggedHubEvent } from '@dragoman/protocol';
import { findPrompts } from '../log/find-prompts.ts';
import { saidLast } from '../log/note-session.ts';
import type { SessionChange } from '../log/session-change.ts';
import { isTakenOut, type TakenOut } from '../log/taken-out.ts';

/** So far back it is looked for what was said last. */
const LOOK_BACK = 200;
/** Each may be long. */
const AT_ONCE = 10;

/**
 * Notes what a revert takes out, in the transaction that stores it: lists show what was said before, and what was said since is
 * made unfindable.
 */
export async function noteRevert(
  change: SessionChange,
  { messageId }: HubEventOf<'reverted'>,
  seq: number,
): Promise<void> {
  const { db, session } = change;
  const { queued, takenUp, takenOut } = await findPrompts(db, session.id);
  const since = takenUp.get(messageId);
  if (since === undefined || since >= seq) return;
  const promptIds = [...takenUp].filter(([, at]) => at >= since && at < seq).map(([id]) => id);
  await db
    .insertInto('hub_reverts')
    .values({ session_id: session.id, seq, since, prompts_json: JSON.stringify(promptIds) })
    .execute();
  const taken: TakenOut = {
    spans: [...takenOut.spans, { since, until: seq }],
    promptIds: new Set([...takenOut.promptIds, ...promptIds]),
  };
  const first = Math.min(since, ...queued.filter((logged) => isTakenOut(taken, logged)).map((logged) => logged.seq));
  const waiting = queued.findLast((logged) => logged.seq > since && !isTakenOut(taken, logged));
  await change.set({
    indexed_seq: Math.min(session.indexed_seq, first - 1),
    last_text: (waiting && saidLast(waiting.event)) ?? (await lastSaidBefore(change, since, taken)) ?? '',
    last_error_json: null,
  });
}

async function lastSaidBefore(
  { db, session }: SessionChange,
  seq: number,
  taken: TakenOut,
): Promise<string | undefined> {
  let before = seq;
  for (let looked = 0; looked < LOOK_BACK; looked += AT_ONCE) {
    const rows = await db
      .selectFrom('hub_events')
      .select(['seq', 'at', 'event'])
      .where('session_id', '=', session.id)
      .where('seq', '<', before)
      .where('piece', '=', 0)
      .orderBy('seq', 'desc')
      .limit(AT_ONCE)
      .execute();
    for (const row of rows) {
      const logged: LoggedHubEvent = { ...row, event: JSON.parse(row.event) as HubEvent };
      const text = isTakenOut(taken, logged) ? undefined : saidLast(logged.event);
      if (text !== undefined) return text;
    }
    before = rows.at(-1)?.seq ?? 0;
  }
  return undefined;
}
