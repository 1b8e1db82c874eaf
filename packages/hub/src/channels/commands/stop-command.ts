import { sentPrompts } from '../../inbox/sent-prompts.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { followedSession, noSession } from './followed-session.ts';

/** Calls the running turn off. What waits behind it goes on. */
export async function stopCommand(talk: Talk): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language];
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  const sent = await sentPrompts(talk.ears.parts.db, session.id);
  const { turnId } = await talk.acts.cancelTurn(session.id);
  return say(turnId === undefined && sent.length === 0 ? words.nothingRuns : words.stopping);
}
