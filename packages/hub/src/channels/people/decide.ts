import { DragomanError } from '@dragoman/protocol';
import type { DecisionBody } from '../../approvals/decide-approval.ts';
import { plainLine } from '../note-text.ts';
import { describeDecision } from './describe-decision.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import type { Reply, Talk } from './talk.ts';

const LINE_CHARS = 180;

/** Answers an approval for a person. Whoever comes too late is told who was first, and what they said. */
export async function decide(
  { acts, ears, language }: Talk,
  place: { sessionId: string; approvalId: string },
  body: Omit<DecisionBody, 'channel'>,
): Promise<Reply> {
  const tell = async () => describeDecision(ears.parts.db, place, language);
  try {
    await acts.decideApproval(place, body);
  } catch (error) {
    const decision = error instanceof DragomanError && error.code === 'conflict' ? await tell() : undefined;
    if (decision === undefined) throw error;
    const words = PEOPLE_WORDS[language];
    return {
      notes: [{ text: words.decidedBefore(plainLine(decision)) }],
      line: words.decidedBefore(decision.slice(0, LINE_CHARS)),
      isRefused: true,
    };
  }
  const decision = (await tell()) ?? '';
  return { notes: [{ text: plainLine(decision) }], line: decision.slice(0, LINE_CHARS) };
}
