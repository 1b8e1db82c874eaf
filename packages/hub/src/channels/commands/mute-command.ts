import { setMuted } from '../people/chat-store.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';

const ON = /^(?:on|开|开启|打开)?$/i;
const OFF = /^(?:off|end|关|关闭|取消)$/i;

/** Says only what is asked for in this chat, or everything again. */
export async function muteCommand(talk: Talk, args: string): Promise<Reply> {
  const isOff = OFF.test(args);
  if (!isOff && !ON.test(args)) return expected(talk, 'mute');
  const { ears, place, language } = talk;
  await setMuted(ears.parts.db, place, !isOff, ears.parts.now());
  ears.wake(place.chatId);
  return say(isOff ? COMMAND_WORDS[language].unmuted : COMMAND_WORDS[language].muted);
}

/** The same as muting off. */
export function unmuteCommand(talk: Talk): Promise<Reply> {
  return muteCommand(talk, 'off');
}
