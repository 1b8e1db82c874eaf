import type { Heard } from '../heard.ts';
import { parseCommand } from '../commands/parse-command.ts';
import type { ChatRow } from './chat-store.ts';
import { readCode } from './bind-code.ts';
import { bindByCode, spoilCode } from './bind-by-code.ts';
import { consoleLink } from './console-link.ts';
import { mayRepeat } from './heard-store.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import { type Ears, NOTHING, type Reply, say } from './talk.ts';

/** In private a stranger is told now and then how to be known, in a group once a day. */
const PRIVATE_EVERY_MS = 60_000;
const GROUP_EVERY_MS = 24 * 60 * 60_000;

/** What comes of what somebody says whom we do not know: only a code is listened to, and only in private. */
export async function hearStranger(ears: Ears, chat: ChatRow, heard: Heard): Promise<Reply> {
  const words = PEOPLE_WORDS[chat.language];
  if (heard.type === 'press') return { notes: [], line: words.pressStranger, isRefused: true };
  const code = heard.type === 'message' ? codeIn(heard.text) : undefined;
  if (chat.kind === 'private') {
    if (code !== undefined) return bindByCode(ears, chat, heard.person, code);
    const isTime = await isTimeFor(ears, `how ${heard.person.accountId}`, PRIVATE_EVERY_MS);
    return isTime ? say(words.howToBind(consoleWords(ears, chat))) : NOTHING;
  }
  const isSpoilt = code !== undefined && (await spoilCode(ears, code));
  if (isSpoilt) return say(words.codeInGroup);
  const isTime = await isTimeFor(ears, `group ${heard.person.accountId} ${chat.chat_id}`, GROUP_EVERY_MS);
  return isTime ? say(words.groupStranger(consoleWords(ears, chat))) : NOTHING;
}

/** What comes of something that happens in a group where nobody allowed us to speak yet: once a day we say so. */
export async function hearInWaitingGroup(ears: Ears, chat: ChatRow, heard: Heard): Promise<Reply> {
  const words = PEOPLE_WORDS[chat.language];
  if (heard.type === 'press') return { notes: [], line: words.pressClosed, isRefused: true };
  if (heard.type === 'message') {
    const code = codeIn(heard.text);
    if (code !== undefined && (await spoilCode(ears, code))) return say(words.codeInGroup);
  }
  if (chat.state !== 'asked') return NOTHING;
  const isTime = await isTimeFor(ears, `asked ${chat.chat_id}`, GROUP_EVERY_MS);
  return isTime ? say(words.groupAsks(consoleWords(ears, chat))) : NOTHING;
}

/** The console, with its address where it has one. */
function consoleWords({ parts }: Ears, { language }: Pick<ChatRow, 'language'>): string {
  const words = PEOPLE_WORDS[language];
  const link = consoleLink(parts, '/settings?tab=channels');
  return link === undefined ? words.consolePlain : words.console(link);
}

/** The code in a message: behind the command for it, or alone. */
function codeIn(text: string): string | undefined {
  const command = parseCommand(text);
  if (command?.type === 'command') {
    const isBinding = command.name === 'bind' || command.name === 'start';
    return isBinding && command.args.trim() !== '' ? command.args : undefined;
  }
  return readCode(text) === undefined ? undefined : text;
}

function isTimeFor({ parts, channel }: Ears, what: string, everyMs: number): Promise<boolean> {
  return mayRepeat(parts.db, { channel: channel.name, what, everyMs }, parts.now());
}
