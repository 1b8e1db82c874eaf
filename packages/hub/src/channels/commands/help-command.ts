import type { Language } from '../channel.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_NAMES, type CommandName, SHOWN_COMMANDS } from './command-names.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { parseCommand } from './parse-command.ts';

/** Lists the commands, or says how one is written. */
export async function helpCommand({ language }: Talk, args: string): Promise<Reply> {
  const words = COMMAND_WORDS[language];
  const asked = args === '' ? undefined : parseCommand(`/${args.replace(/^[/／]/, '')}`);
  if (asked?.type === 'command') {
    const { about, usage, example } = words.commands[asked.name];
    return say(`\`${usage}\`: ${about}\n\n\`${example}\``);
  }
  const lines = SHOWN_COMMANDS.map((name) => `- ${namesOf(name, language)}: ${words.commands[name].about}`);
  return say([words.helpTitle, lines.join('\n'), words.helpPrompt, words.helpEnd].join('\n\n'));
}

/** The name in one's own language first; a phone may only offer the other one. */
function namesOf(name: CommandName, language: Language): string {
  const { en, zh } = COMMAND_NAMES[name];
  return language === 'zh' ? `\`/${zh[0]}\` (\`/${en[0]}\`)` : `\`/${en[0]}\``;
}
