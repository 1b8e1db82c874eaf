import { commandName, GIT_OPTIONS_WITH_VALUE, isAssignment, splitWords, unquote } from './command-pattern.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Options before git's own commands that set what it runs, where it reads that from, or where it writes what was committed. */
const GIT_OPTIONS = words('-c --config-env --exec-path -p --paginate --git-dir --bare --work-tree');

/** Commands of git that run no program by themselves. What is not here may be an alias, or another program. */
const PLAIN_COMMANDS = words(
  'add am annotate apply blame branch cat-file check-attr check-ignore checkout checkout-index cherry cherry-pick ' +
    'clean column commit commit-tree count-objects describe for-each-ref fsck gc hash-object ls-files ls-tree merge ' +
    'merge-base merge-tree mktree mv name-rev notes prune read-tree repack rerere reset restore rev-list rev-parse revert rm ' +
    'show-branch show-ref sparse-checkout status stripspace switch symbolic-ref tag update-index update-ref var ' +
    'verify-commit verify-tag version worktree write-tree',
);
/** Commands of git that run a program with some option, word or setting. */
const RISKY_COMMANDS = words(
  'archive bisect bundle clone config diff diff-files diff-index diff-tree fetch format-patch grep init log ls-remote pull push ' +
    'range-diff rebase reflog remote shortlog show stash submodule whatchanged',
);
const REMOTE_COMMANDS = words('archive clone fetch ls-remote pull push remote submodule');

/** Options that name a program, a file with programs, a place that git writes to, or a file that it shows. */
const LONG_OPTIONS = [
  ...words('--config --exec --ext-diff --extcmd --help --open-files-in-pager --output --receive-pack --template'),
  ...words('--upload-pack --unsafe-paths --index-output --no-index --contents --ignore-revs-file --pathspec-from-file'),
];
const LONG_OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  'checkout-index': ['--prefix'],
  log: ['--stdin'],
  push: ['--repo'],
  'rev-list': ['--stdin'],
  'rev-parse': ['--parseopt', '--stdin'],
  show: ['--stdin'],
};
/** Options that show a file, if only in a complaint about what stands in it. */
const SHOWING = /^--(no-in|cont|ignore-r|pathspec-f|parse|std)/;
const SHORT_OPTIONS: Readonly<Record<string, RegExp>> = {
  archive: /^-[a-zA-Z]*o/,
  clone: /^-[a-zA-Z]*[cu]/,
  grep: /^-[a-zA-Z]*O/,
  rebase: /^-[a-zA-Z]*x/,
};
const RUNNING_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  bisect: words('replay run view visualize'),
  bundle: words('create'),
  remote: words('add rename set-url'),
  submodule: words('foreach'),
};
/** `ext::sh -c …`: a helper of git's that is named in an address. */
const HELPER_ADDRESS = /(^|=)[\w+.-]+::/;

const READING_CONFIG = /^(--get(-all|-regexp|-urlmatch|-color|-colorbool)?|--list|-l)$/;
/** What may stand before it and takes no other word. */
const CONFIG_FLAG =
  /^(--(global|system|local|worktree|null|name-only|show-origin|show-scope|includes|no-includes)|-z)$/;
/** Settings that name no program, no other repository and no file with settings. */
const PLAIN_SETTING =
  /^(user\.(name|email)|branch\.(autosetup\w+|sort|.*\.(description|merge|rebase))|(advice|color|column|pull|push|rebase|rerere|tag)\.[\w.-]*|fetch\.(prune|prunetags)|init\.defaultbranch|commit\.(gpgsign|verbose)|core\.(autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf|symlinks)|merge\.(ff|conflictstyle)|diff\.(algorithm|renames|colormoved)|log\.date)$/i;

/**
 * The words by which a command can run a program that it does not show by its name: variables in front of it, and what git
 * takes for that purpose (`-c core.pager=…`, `grep -O`, `bisect run`, `config core.hooksPath`, an alias), or to put a program
 * where it will be run (`checkout-index --prefix`), or to show any file (`diff --no-index`). Where only the shell knows a word
 * that could be such a one, that word.
 */
export function runningWords(command: string): string[] {
  const all = splitWords(command);
  const first = all.findIndex((word) => !isAssignment(word));
  if (first === -1) return [];
  const found = all.slice(0, first).map((word) => word.slice(0, word.indexOf('=') + 1));
  return commandName(all[first]!) === 'git' ? [...found, ...inGitWords(all.slice(first + 1))] : found;
}

/** What one of these words can do, as the end of a sentence that begins with it. */
export function riskOf(word: string): string {
  return SHOWING.test(word) ? 'can show any file' : 'can run another program';
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
  const rest = given.slice(at + 1);
  if (command === 'config') return [...found, ...inConfigWords(rest)];
  if (!PLAIN_COMMANDS.has(command) && !RISKY_COMMANDS.has(command)) return [...found, given[at]!];
  return [...found, ...inCommandWords(command, rest), ...(command === 'push' ? inPushWords(rest) : [])];
}

function inCommandWords(command: string, given: readonly string[]): string[] {
  const found: string[] = [];
  const options = [...LONG_OPTIONS, ...(LONG_OPTIONS_OF[command] ?? [])];
  const end = given.findIndex((word) => unquote(word) === '--');
  for (const [at, written] of given.entries()) {
    const word = unquote(written);
    const isOption = end === -1 || at < end;
    const [name] = word.split('=', 1);
    if (isOption && isUnknown(written)) {
      if (RISKY_COMMANDS.has(command)) found.push(written);
    } else if (isOption && /^--./.test(word) && options.some((option) => option.startsWith(name!)))
      // Git takes shortened ones, too.
      found.push(name!);
    else if (isOption && SHORT_OPTIONS[command]?.test(word) === true) found.push(SHORT_OPTIONS[command].exec(word)![0]);
    else if (RUNNING_WORDS[command]?.has(word) === true) found.push(word);
    else if (REMOTE_COMMANDS.has(command) && HELPER_ADDRESS.test(word)) found.push(written);
  }
  return found;
}

/** A push runs the hooks of the repository it goes to, and what is no remote's name is the path of one. */
function inPushWords(given: readonly string[]): string[] {
  const plain = given.map(unquote);
  // Others that end in `-o`, or are cut short, may take the next word or may not.
  const unclear = plain.find((word) => /^-[a-zA-Z]+o|^--pu(?!sh-option(=|$))/.test(word));
  if (unclear !== undefined) return [unclear];
  const isValue = (at: number) => /^(-o|--push-option)$/.test(plain[at - 1] ?? '');
  const place = plain.find((word, at) => !word.startsWith('-') && !isValue(at));
  return place === undefined || place === 'origin' ? [] : [place];
}

function inConfigWords(given: readonly string[]): string[] {
  const plain = given.map(unquote);
  const unknown = given.filter(isUnknown);
  if (unknown.length > 0) return unknown;
  if (/^(get|list)$/.test(plain[0] ?? '')) return [];
  const action = plain.find((word) => !CONFIG_FLAG.test(word)) ?? '';
  if (READING_CONFIG.test(action)) return [];
  const elsewhere = plain.find((word) => /^(-f|--fi|--blob|(--)?\w+-section$)/.test(word));
  if (elsewhere !== undefined) return [elsewhere];
  // Any of them may be the key, for who knows which options take a word.
  const keys = plain.filter((word) => /^[\w-]+\../.test(word));
  return keys.length === 0 ? ['config'] : keys.filter((key) => !PLAIN_SETTING.test(key));
}

/** Whether only the shell knows what becomes of a word, and it may begin with `-`. */
function isUnknown(word: string): boolean {
  const outside = word.replaceAll(/\\.|'[^']*'/gs, 'x');
  return /[$`]/.test(outside) || /^([*?[{]|[@!+]\()/.test(outside);
}
