import { runCommandText } from '../commands/run-command.ts';
import { findAction, findPressed } from '../post-store.ts';
import { decide } from './decide.ts';
import { describeDecision } from './describe-decision.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import type { Reply, Talk } from './talk.ts';

const QUESTION = 'approval ';
const LINE_CHARS = 180;

/**
 * Does what a button says, as who pressed it. A decision shows on the post itself, so nothing is said about it beside the
 * line that answers the press.
 */
export async function hearPress(
  talk: Talk,
  { action: data, text }: { action: string; text?: string | undefined },
): Promise<Reply> {
  const words = PEOPLE_WORDS[talk.language];
  const found = await findAction(talk.ears.parts.db, talk.place.channel, data);
  if (found === undefined || found.post.chatId !== talk.place.chatId)
    return { notes: [], line: (await decidedBefore(talk, data)) ?? words.pressOld, isRefused: true };
  const { action } = found;
  const said = text === undefined || text.trim() === '' ? {} : { text };
  switch (action.type) {
    case 'command':
      return runCommandText(talk, action.text);
    case 'decide': {
      const always = action.always === true ? { always: true } : {};
      return silently(decide(talk, action, { optionId: action.optionId, ...always, ...said }));
    }
    case 'reject':
      return silently(decide(talk, action, { reject: true, ...said }));
    case 'answer':
      if (!('text' in said)) return { notes: [], line: words.answerMissing, isRefused: true };
      return silently(decide(talk, action, said));
  }
}

/** Who pressed a button of a question that somebody else had answered meanwhile is told who, and what they said. */
async function decidedBefore({ ears, place, language }: Talk, data: string): Promise<string | undefined> {
  const { db } = ears.parts;
  const post = await findPressed(db, place.channel, data);
  if (post?.sessionId === undefined || post.chatId !== place.chatId || !post.key.startsWith(QUESTION)) return undefined;
  const approvalId = post.key.slice(QUESTION.length);
  const decision = await describeDecision(db, { sessionId: post.sessionId, approvalId }, language);
  return decision && PEOPLE_WORDS[language].decidedBefore(decision.slice(0, LINE_CHARS));
}

async function silently(reply: Promise<Reply>): Promise<Reply> {
  return { ...(await reply), notes: [] };
}
