import { commandName, GIT_OPTIONS_WITH_VALUE, isAssignment, splitWords, unquote } from './command-pattern.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Options before git's own commands that set what it runs, or where it reads that from. */
const GIT_OPTIONS = words('-c --config-env --exec-path -p --paginate --git-dir');

/** Commands of git that run no program by themselves. What is not here may be an alias, or another program. */
const PLAIN_COMMANDS = words(
  'add am annotate apply blame branch bundle cat-file check-attr check-ignore checkout checkout-index cherry cherry-pick ' +
    'clean column commit commit-tree count-objects describe for-each-ref fsck gc hash-object ls-files ls-tree merge ' +
    'merge-base merge-tree mktree mv name-rev notes prune read-tree repack rerere reset restore rev-list rev-parse revert rm ' +
    'show-branch show-ref sparse-checkout status stripspace switch symbolic-ref tag update-index update-ref var ' +
    'verify-commit verify-tag version worktree write-tree',
);
/** Commands of git that run a program with some option, word or setting. */
const RISKY_COMMANDS = words(
  'archive bisect clone config diff diff-files diff-index diff-tree fetch format-patch grep init log ls-remote pull push ' +
    'range-diff rebase reflog remote shortlog show stash submodule whatchanged',
);
const REMOTE_COMMANDS = words('archive clone fetch ls-remote pull push remote submodule');

/** Options that name a program, a file with programs, or a file that git writes. Git takes shortened ones, too. */
const LONG_OPTIONS = [
  ...words('--config --exec --ext-diff --extcmd --help --open-files-in-pager --output --receive-pack --template'),
  '--upload-pack',
];
const SHORT_OPTIONS: Readonly<Record<string, RegExp>> = {
  clone: /^-[a-zA-Z]*[cu]/,
  grep: /^-[a-zA-Z]*O/,
  rebase: /^-[a-zA-Z]*x/,
};
const RUNNING_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  bisect: words('run view visualize'),
  submodule: words('foreach'),
};
/** `ext::sh -c …`: a helper of git's that is named in an address. */
const HELPER_ADDRESS = /(^|=)[\w+.-]+::/;

const READING_CONFIG = /^(--get(-all|-regexp|-urlmatch|-color|-colorbool)?|--list|-l|get|list)$/;
/** Settings that name no program and no file with settings. */
const PLAIN_SETTING =
  /^(user\.(name|email)|(advice|branch|color|column|pull|push|rebase|rerere|tag)\..*|fetch\.(prune|prunetags)|init\.defaultbranch|commit\.(gpgsign|verbose)|core\.(autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf|symlinks)|merge\.(ff|conflictstyle)|diff\.(algorithm|renames|colormoved)|log\.date)$/i;

/**
 * The words by which a command can run a program that it does not show by its name: variables in front of it, and what git
 * takes for that purpose (`-c core.pager=…`, `grep -O`, `bisect run`, `config core.hooksPath`, an alias). Where only the
 * shell knows a word that could be such a one, that word.
 */
export function runningWords(command: string): string[] {
  const all = splitWords(command);
  const first = all.findIndex((word) => !isAssignment(word));
  if (first === -1) return [];
  const found = all.slice(0, first).map((word) => word.slice(0, word.indexOf('=') + 1));
  return commandName(all[first]!) === 'git' ? [...found, ...inGitWords(all.slice(first + 1))] : found;
}

/** Whether each of these words stands in a pattern, so that who wrote it meant it. */
export function namesAll(pattern: string, named: readonly string[]): boolean {
  const written = splitWords(pattern).map((word) => unquote(word).replace(/[*?[].*$/s, ''));
  return named.every((word) => written.some((each) => each.startsWith(unquote(word))));
}

function inGitWords(given: readonly string[]): string[] {
  const found: string[] = [];
  let at = 0;
  for (; at < given.length; at++) {
    const word = unquote(given[at]!);
    if (isUnknown(given[at]!)) return [...found, given[at]!];
    if (!word.startsWith('-')) break;
    const [name] = word.split('=', 1);
    if (GIT_OPTIONS.has(name!)) found.push(name!);
    if (GIT_OPTIONS_WITH_VALUE.has(word)) at++;
  }
  if (at >= given.length) return found;
  const command = unquote(given[at]!);
  if (PLAIN_COMMANDS.has(command))
    return [...found, ...given.slice(at + 1).filter((word) => unquote(word) === '--help')];
  if (!RISKY_COMMANDS.has(command)) return [...found, given[at]!];
  return [...found, ...inRiskyWords(command, given.slice(at + 1))];
}

function inRiskyWords(command: string, given: readonly string[]): string[] {
  if (command === 'config') return inConfigWords(given);
  const found: string[] = [];
  const end = given.findIndex((word) => unquote(word) === '--');
  for (const [at, written] of given.entries()) {
    const word = unquote(written);
    const isOption = end === -1 || at < end;
    const [name] = word.split('=', 1);
    if (isOption && isUnknown(written)) found.push(written);
    else if (isOption && /^--./.test(word) && LONG_OPTIONS.some((option) => option.startsWith(name!)))
      found.push(name!);
    else if (isOption && SHORT_OPTIONS[command]?.test(word) === true) found.push(SHORT_OPTIONS[command].exec(word)![0]);
    else if (RUNNING_WORDS[command]?.has(word) === true) found.push(word);
    else if (REMOTE_COMMANDS.has(command) && HELPER_ADDRESS.test(word)) found.push(written);
  }
  return found;
}

function inConfigWords(given: readonly string[]): string[] {
  const plain = given.map(unquote);
  const unknown = given.filter(isUnknown);
  if (unknown.length > 0) return unknown;
  if (plain.some((word) => READING_CONFIG.test(word))) return [];
  const key = plain.find((word) => /^[\w-]+\../.test(word));
  return key === undefined ? ['config'] : PLAIN_SETTING.test(key) ? [] : [key];
}

/** Whether only the shell knows what becomes of a word, and it may begin with `-`. */
function isUnknown(word: string): boolean {
  const outside = word.replaceAll(/\\.|'[^']*'/gs, 'x');
  return /[$`]/.test(outside) || /^([*?[{]|[@!+]\()/.test(outside);
}
