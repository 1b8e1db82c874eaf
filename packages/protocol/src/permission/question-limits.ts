import type { PermissionQuestion } from './permission.ts';
import { isUnreadableCommand } from './unreadable-command.ts';

/** How many commands of a question the rules are held against. */
export const MOST_COMMANDS = 200;
/** And of how many characters together. */
export const MOST_COMMAND_CHARS = 32_000;
const MOST_SUBJECTS = 1_000;
const MOST_CHARS = 128_000;
/** Places at which the arguments of commands may come apart into commands of their own: `bash -c "a; b"`. */
const MOST_BREAKS = 1_000;

/**
 * Whether a question is about more than the rules are held against one by one. They are asked while everybody else waits,
 * so what a model or a runner writes must not decide how long that takes.
 */
export function isBeyondLimits({ subjects }: PermissionQuestion): boolean {
  const told = subjects.filter(({ deniedAs }) => deniedAs === undefined);
  const commands = told.filter(({ kind }) => kind === 'command').map(({ value }) => value);
  if (told.length > MOST_SUBJECTS || commands.length > MOST_COMMANDS || told.some(({ isUnread }) => isUnread === true))
    return true;
  if (charsOf(told.map(({ value }) => value)) > MOST_CHARS || charsOf(commands) > MOST_COMMAND_CHARS) return true;
  return commands.filter((command) => !isUnreadableCommand(command)).reduce(countBreaks, 0) > MOST_BREAKS;
}

function charsOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function countBreaks(sum: number, command: string): number {
  return sum + (command.match(/[;&|\n()]+/g)?.length ?? 0);
}
