import { COMMAND_NAMES, type CommandName } from './command-names.ts';

/** What was written behind a slash. */
export type ParsedCommand =
  | { type: 'command'; name: CommandName; args: string }
  /** Nothing of ours. */
  | { type: 'unknown'; word: string };

const BY_NAME: ReadonlyMap<string, CommandName> = new Map(
  (Object.keys(COMMAND_NAMES) as CommandName[]).flatMap((name) =>
    [...COMMAND_NAMES[name].en, ...COMMAND_NAMES[name].zh].map((word): [string, CommandName] => [word, name]),
  ),
);

/** Chinese is written without spaces; the longest name counts. */
const CHINESE_NAMES: readonly string[] = [...BY_NAME.keys()]
  .filter((word) => /^\p{Script=Han}/u.test(word))
  .toSorted((one, other) => other.length - one.length);

/**
 * Reads a message as a command: a slash of either width, a word, and what is behind it. Nothing for everything else, a
 * path such as `/usr/bin` too; that is a prompt.
 */
export function parseCommand(text: string): ParsedCommand | undefined {
  const [, word, rest = ''] = /^[/／]([\p{L}\p{N}_-]{1,60})(?:\s([^]*))?$/u.exec(text.trim()) ?? [];
  if (word === undefined) return undefined;
  const name = BY_NAME.get(word.toLowerCase());
  if (name !== undefined) return { type: 'command', name, args: rest.trim() };
  const begin = CHINESE_NAMES.find((one) => word.startsWith(one));
  if (begin === undefined) return { type: 'unknown', word };
  return { type: 'command', name: BY_NAME.get(begin)!, args: `${word.slice(begin.length)} ${rest}`.trim() };
}
