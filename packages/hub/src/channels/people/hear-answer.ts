import type { Approval } from '@dragoman/protocol';
import { decide } from './decide.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import { type Reply, say, type Talk } from './talk.ts';

/** The approval whose post was answered, where it still waits. */
export async function answeredApproval({
  ears,
  answers,
}: Talk): Promise<{ sessionId: string; approvalId: string; allowsText: boolean } | undefined> {
  const approvalId = answers?.key.startsWith('approval ') === true ? answers.key.slice('approval '.length) : undefined;
  if (answers?.sessionId === undefined || approvalId === undefined) return undefined;
  const row = await ears.parts.db
    .selectFrom('hub_approvals')
    .select(['approval_json', 'state'])
    .where('session_id', '=', answers.sessionId)
    .where('id', '=', approvalId)
    .executeTakeFirst();
  if (row?.state !== 'waiting') return undefined;
  const { allowsText = false } = JSON.parse(row.approval_json) as Approval;
  return { sessionId: answers.sessionId, approvalId, allowsText };
}

/** Answers a question in words, where the agent takes them. Where it does not, they are no prompt either: they would come too late. */
export async function hearAnswer(
  talk: Talk,
  approval: { sessionId: string; approvalId: string; allowsText: boolean },
  text: string,
): Promise<Reply> {
  if (!approval.allowsText) {
    await talk.acts.check('decideApproval');
    return say(PEOPLE_WORDS[talk.language].wordsNotTaken);
  }
  const { isRefused, notes } = await decide(talk, approval, { text });
  return { notes: isRefused === true ? notes : [] };
}
