import type { HubParts } from '../hub-parts.ts';
import { markRead } from '../sessions/mark-read.ts';
import type { ChatRow } from './people/chat-store.ts';
import type { Shown } from './shown-session.ts';

/**
 * What is in a private chat for good counts as read by the person whose chat it is; in a group nobody knows who has read it.
 *
 * What happens beside turns, such as a new title, is not shown there. It counts as read for who had read everything before.
 */
export async function noteRead(
  parts: Pick<HubParts, 'db' | 'feed'>,
  { channel, kind, account_id: accountId, session_id: sessionId, from_seq: fromSeq }: ChatRow,
  { readSeq, hasShown }: Pick<Shown, 'readSeq' | 'hasShown'>,
): Promise<void> {
  if (kind !== 'private' || accountId === null || sessionId === null || readSeq < fromSeq) return;
  const person = await parts.db
    .selectFrom('hub_chat_bindings as binding')
    .leftJoin('hub_reads as read', (join) =>
      join.onRef('read.user_id', '=', 'binding.user_id').on('read.session_id', '=', sessionId),
    )
    .select(['binding.user_id', 'read.seq'])
    .where('binding.channel', '=', channel)
    .where('binding.account_id', '=', accountId)
    .executeTakeFirst();
  if (person === undefined) return;
  const seq = person.seq ?? 0;
  if (seq >= readSeq || (!hasShown && seq < fromSeq - 1)) return;
  await markRead(parts, { userId: person.user_id }, sessionId, readSeq);
}
