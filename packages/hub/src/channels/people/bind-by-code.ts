import { isRoleAtLeast } from '@dragoman/protocol';
import type { Heard } from '../heard.ts';
import { plainLine } from '../note-text.ts';
import { codeMark, takeBindCode } from './bind-code.ts';
import { bindAccount, findBound } from './bindings.ts';
import { type ChatRow, setLanguage } from './chat-store.ts';
import { forgetCodeTries, hasUsedCode, mayRepeat, noteUsedCode, takeCodeTry } from './heard-store.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import { type Ears, NOTHING, type Reply, say } from './talk.ts';

const LOCKED_EVERY_MS = 5 * 60_000;

/** Binds an account to whom the code was shown to, and speaks their language from then on. Guessing comes to an end. */
export async function bindByCode(
  { parts, channel }: Ears,
  chat: ChatRow,
  { accountId, name }: Heard['person'],
  code: string,
): Promise<Reply> {
  const { db } = parts;
  const now = parts.now();
  const account = { channel: channel.name, accountId };
  const words = PEOPLE_WORDS[chat.language];
  const before = await findBound(db, account, now);
  const mark = codeMark(code);
  if (before !== undefined && mark !== undefined && (await hasUsedCode(db, account, mark)))
    return say(words.boundBefore(plainLine(before.userName, 60)));
  const mine = await takeCodeTry(db, account, now);
  if (mine === undefined) {
    const what = `locked ${accountId}`;
    const isTime = await mayRepeat(db, { channel: channel.name, what, everyMs: LOCKED_EVERY_MS }, now);
    return isTime ? say(words.noMoreCodes) : NOTHING;
  }
  const owner = await db.transaction().execute(async (transaction) => {
    const taken = await takeBindCode(transaction, code, now);
    if (taken === undefined) return undefined;
    await bindAccount(transaction, { ...account, name, ...taken }, now);
    await setLanguage(transaction, { channel: channel.name, chatId: chat.chat_id }, taken.language, now);
    await forgetCodeTries(transaction, account);
    if (mark !== undefined) await noteUsedCode(transaction, account, mark, now);
    return taken;
  });
  if (owner === undefined) return say(mine.left === 0 ? words.noMoreCodes : words.wrongCode(mine.left));
  const user = await findBound(db, account, now);
  if (user === undefined) return say(words.nobody);
  const theirs = PEOPLE_WORDS[owner.language];
  if (before?.userId === user.userId) return say(theirs.boundBefore(plainLine(user.userName, 60)));
  const welcome = theirs.bound(plainLine(user.userName, 60), theirs.roles[user.role]);
  return say(isRoleAtLeast(user.role, 'member') ? welcome : `${welcome}\n\n${theirs.boundWhileViewer}`);
}

/** Makes a code worthless that others could read. True where it was one. */
export async function spoilCode({ parts }: Ears, code: string): Promise<boolean> {
  return (await takeBindCode(parts.db, code, parts.now())) !== undefined;
}
