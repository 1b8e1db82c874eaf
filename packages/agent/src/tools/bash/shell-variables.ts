import type { Assignment } from './shell-visitor.ts';
import { literalOf } from './shell-word.ts';

/** Variables that tell a program how to show or log, and not what to run. */
const HARMLESS =
  /^(NODE_ENV|CI|DEBUG|VERBOSE|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLORTERM|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ|LOG_LEVEL|RUST_LOG|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|PYTHONUTF8|GIT_TERMINAL_PROMPT|HUSKY|PORT|HOST|CGO_ENABLED|GOOS|GOARCH|DEBIAN_FRONTEND|MAKELEVEL)$/;
/** Values with which they are: no paths, by which a program would find messages, time zones or terminals in the project. */
const PLAIN = /^[\w.,:=@*+-]*$/;
const TIME_ZONE = /^[\w+-]+(?:\/[\w+-]+)*$/;
/** Variables that the shell itself goes by, whether or not a program sees them. */
const OF_THE_SHELL =
  /^(PATH|HOME|PWD|OLDPWD|CDPATH|IFS|ENV|SHELL|SHELLOPTS|BASHOPTS|BASH_.+|FPATH|GLOBIGNORE|PROMPT_COMMAND|PS[0-4]|POSIXLY_CORRECT|EXECIGNORE|HISTFILE|TMPDIR|DIRSTACK)$/;
/** Variables that commands are handed whatever the shell was handed: how git is kept in check. What is loaded before a command. */
const HANDED_ON = /^(GIT|LD|DYLD)_/;

/** Whether a command that is handed this variable still does what its words say. */
export function isHarmlessVariable({ name, value }: Assignment): boolean {
  const text = literalOf(value);
  return HARMLESS.test(name) && text !== undefined && (name === 'TZ' ? TIME_ZONE : PLAIN).test(text);
}

/**
 * Whether setting it inside the shell, without handing it to a command, changes what runs later.
 *
 * That is so for what the shell goes by, and for what it was handed and will hand on.
 */
export function changesLaterCommands(assignment: Assignment, inherited: ReadonlySet<string>): boolean {
  const { name } = assignment;
  if (isHarmlessVariable(assignment)) return false;
  return OF_THE_SHELL.test(name) || HANDED_ON.test(name) || inherited.has(name);
}
