import { plainLine } from '../note-text.ts';
import { bindByCode, spoilCode } from '../people/bind-by-code.ts';
import { unbindAccount } from '../people/bindings.ts';
import { PEOPLE_WORDS } from '../people/people-words.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';

/** Makes this account another user's by a code; without one, says whose it is. */
export async function bindCommand(talk: Talk, args: string): Promise<Reply> {
  const { ears, chat, accountId, accountName, user, language } = talk;
  const words = COMMAND_WORDS[language];
  if (args === '') return say(words.boundAs(plainLine(user.userName, 60), PEOPLE_WORDS[language].roles[user.role]));
  if (chat.kind === 'private') return bindByCode(ears, chat, { accountId, name: accountName }, args);
  return say((await spoilCode(ears, args)) ? PEOPLE_WORDS[language].codeInGroup : words.bindPrivately);
}

const YES = /^(?:yes|y|ok|是|确认|确定)$/i;

/** Forgets whose this account is, once that was confirmed. Its private chat shows nothing more. */
export async function unbindCommand(talk: Talk, args: string): Promise<Reply> {
  const { ears, accountId, user, language } = talk;
  const words = COMMAND_WORDS[language];
  if (args === '') {
    const action = { type: 'command' as const, text: '/unbind yes' };
    return say(words.unbindSure(plainLine(user.userName, 60)), [[{ label: words.unbindYes, action, look: 'danger' }]]);
  }
  if (!YES.test(args)) return expected(talk, 'unbind');
  const { db, now } = ears.parts;
  await unbindAccount(db, { channel: ears.channel.name, accountId }, now());
  return { notes: [{ text: words.unbound, isForAnyone: true }] };
}
