import { type Reply, say, type Talk } from '../people/talk.ts';
import type { CommandName } from './command-names.ts';
import { COMMAND_WORDS } from './command-words.ts';

/** What was expected behind a command, with an example. */
export function expected({ language }: Talk, name: CommandName): Reply {
  const words = COMMAND_WORDS[language];
  const { usage, example } = words.commands[name];
  return say(words.expected(usage, example));
}
