import { DragomanError, type HubSession } from '@dragoman/protocol';
import { canStart } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { newSessionButton } from './sessions-command.ts';

/** The session that the chat shows, if it shows one. */
export async function followedSession({ acts, chat }: Talk): Promise<HubSession | undefined> {
  if (chat.session_id === null) return undefined;
  try {
    return await acts.getSession(chat.session_id);
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'not-found') return undefined; // Deleted just now.
    throw error;
  }
}

/** What is said where a command needs a session and there is none. */
export async function noSession(talk: Talk): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language];
  const sessions = { label: words.allSessions, action: { type: 'command' as const, text: '/sessions' } };
  return say(words.noSession, [[sessions, ...((await canStart(talk)) ? [newSessionButton(talk.language)] : [])]]);
}
