import { newId, type ToolPart } from '@dragoman/protocol';
import { withTimeLimit } from '../turn/time-limit.ts';
import type { Asker, Question, QuestionAnswer } from './question.ts';

/** Asks the person in whose turn a call runs. */
export type AskPerson = (question: Question, part: ToolPart, signal: AbortSignal) => Promise<QuestionAnswer>;

/** Whoever does not answer in time has cancelled the question. Throws when the signal fires. */
export function askPerson(asker: Asker, sessionID: string, limitMs: number): AskPerson {
  const late = new Error('Nobody answered.');
  return async (question, { messageID, callID }, signal) => {
    const request = { ...question, id: newId('apr'), sessionID, messageID, callID };
    try {
      return await withTimeLimit((ending) => asker(request, ending), {
        limitMs,
        signal,
        graceMs: 0,
        expired: () => late,
      });
    } catch (error) {
      if (error === late) return { type: 'cancelled' };
      throw error;
    }
  };
}
