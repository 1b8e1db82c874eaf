import { noteOwnPrompt } from '../people/chat-store.ts';
import { derivedId } from '../people/derived-id.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { followedSession, noSession } from './followed-session.ts';

/** Tells the agent something while it works. Where it takes nothing meanwhile, it is a prompt like any other. */
export async function steerCommand(talk: Talk, args: string): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language];
  const { acts, place, heardId, messageId, ears } = talk;
  if (args === '') return say(words.steerEmpty);
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  await acts.check('sendPrompt');
  const promptId = derivedId('msg', place.channel, place.chatId, heardId);
  if (messageId !== undefined)
    await noteOwnPrompt(ears.parts.db, place, { sessionId: session.id, promptId, messageId });
  const { delivery } = await acts.sendPrompt(session.id, { id: promptId, text: args, delivery: 'steer' });
  return say(delivery === 'steer' ? words.steered : words.steerQueued);
}
