import { nearestWords } from '@dragoman/server/base';
import { agentNews } from '../../sessions/agent-news.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_NAMES, SHOWN_COMMANDS } from './command-names.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { COMMANDS } from './commands.ts';
import { type ParsedCommand, parseCommand } from './parse-command.ts';

const NEAR = 3;

/** Does what a command says. One that we do not know is answered with those that may have been meant. */
export async function runCommand(talk: Talk, command: ParsedCommand): Promise<Reply> {
  if (command.type === 'command') return COMMANDS[command.name](talk, command.args);
  const words = COMMAND_WORDS[talk.language];
  const near = nearest(command.word).map((name) => `\`/${name}\``);
  const word = command.word.slice(0, 40);
  return say(near.length === 0 ? words.unknown(word) : words.unknownNear(word, near.join(', ')));
}

/** Does what a button says in the form of a command. */
export async function runCommandText(talk: Talk, text: string): Promise<Reply> {
  return runCommand(talk, parseCommand(text) ?? { type: 'unknown', word: '' });
}

/** Whether the agent of this chat has a command of that name itself; then it is a prompt. */
export async function isAgentCommand(talk: Talk, command: ParsedCommand): Promise<boolean> {
  if (command.type !== 'unknown' || talk.chat.session_id === null) return false;
  const commands = await agentNews(talk.ears.parts.db, talk.chat.session_id, 'commands');
  return commands?.some(({ name }) => name.replace(/^\//, '') === command.word) ?? false;
}

/** What somebody is told who has just let us in. */
export function greet(talk: Talk): Promise<Reply> {
  return COMMANDS.help(talk, '');
}

function nearest(word: string): string[] {
  const names = SHOWN_COMMANDS.flatMap((name) => [COMMAND_NAMES[name].en[0], COMMAND_NAMES[name].zh[0]]);
  return nearestWords(word, names, NEAR);
}
