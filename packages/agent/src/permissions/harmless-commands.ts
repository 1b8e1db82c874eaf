/** A command that may run without a question, and with what it may not. */
export interface HarmlessCommand {
  pattern: string;
  unless: readonly string[];
}

/**
 * Words that only the shell can fill in, so that nobody knows before what they will be: variables, substitutions, file
 * patterns and braces. A file that a command is fed comes as ` < file`.
 */
const UNKNOWN_WORDS = ['*$*', '*`*', '*{*', '*[*]*', '*[?]*', '*[[]*', '* < *'];
/** Hints at files with secrets, which `read` would ask about. Plain spellings only: this reminds, it does not contain. */
const SECRETS = [
  '.env',
  ...words('.pem .pfx .p12 .p8 .jks .key .keystore .ppk .kdbx id_rsa id_dsa id_ecdsa id_ed25519 .ssh .gnupg .aws'),
  ...words('.kube .docker .netrc _netrc .npmrc .pypirc .pgpass .htpasswd .git-credentials .git/'),
].map((hint) => `*${hint}*`);

/** What changes nothing and shows nothing of a file, as it stands. Most of these do more with other arguments. */
const AS_THEY_STAND = [
  ...words('pwd whoami id date hostname uname true false ls df'),
  ...words('-a -m -n -r -s -v').map((option) => `uname ${option}`),
  'df -h',
  'git branch',
  ...words('-a -r -v -vv --list --show-current').map((option) => `git branch ${option}`),
  'git remote',
  'git remote -v',
  'git stash list',
  'git tag',
  'git tag --list',
  'git worktree list',
  'git ls-files',
  'git show --stat',
  'git show --stat HEAD',
  // Others (npm, yarn, cargo, go, python …) read files of the project even for this, to choose which of them runs.
  ...words('git node gcc').map((program) => `${program} --version`),
];

/** Options of git that look into submodules, where its settings do not reach. Git takes shortened ones too. */
const SUBMODULES = ['* --sub*', '* --ignore-su*'];
/** Options of git that write, run, or read something else. */
const TELLTALE = ['* --ou*', '* --ext*', '* --no-i*', '* --std*', '* -O*', '* --textc*', ...SUBMODULES];
/** The folder of git, which is not part of what the project shows. */
const GIT_FOLDER = ['*.git', '*.git/*', '*.git *'];
/** Options of `ls` that follow no links. */
const LS_OPTIONS = words('-l -a -A -la -al -lA -lh -lah -lha -alh -1 -t -lt -ltr -d -ld -F -R -lR');
/** Options of `git diff` that say how to show, and of what; behind them one word may stand. */
const DIFF_OPTIONS = words('-- HEAD --cached --staged --stat --shortstat --name-only --name-status --color=never');

/**
 * Commands that only look, and not into files: what a file says is for `read` and `grep`, which ask about secrets.
 *
 * Each was gone through for options that write a file, run a program, or show a file, if only in a complaint about what is
 * in it (`wc --files0-from`, `file -f`, `git log --stdin`). A command that has them is allowed without them or is not here
 * at all. Git shows what it keeps, and nothing else: of `git diff` only forms that cannot be taken for a comparison of two
 * files outside a repository. Paths outside the project are asked about beside the command.
 *
 * What a program reads from the project must not decide what runs. Git is kept from that by its environment and by a look
 * at the repository; where a program of the project has one of these names, it is asked about (see `judge-programs.ts`).
 */
export const HARMLESS_COMMANDS: readonly HarmlessCommand[] = [
  ...AS_THEY_STAND.map((pattern) => ({ pattern, unless: [] })),
  command('ls ?*', ['ls -*', 'ls * -*', ...GIT_FOLDER]),
  ...LS_OPTIONS.map((option) => command(`ls ${option} *`, [`ls ${option} -*`, 'ls * * -*', ...GIT_FOLDER])),
  command('echo *'),
  command('basename *'),
  command('dirname *'),
  command('which *'),
  command('type *'),
  command('command -v ?*'),
  // Without a folder it goes home, and with `-` back to where nobody remembers.
  command('cd ?*', ['cd -*', ...GIT_FOLDER]),
  // `-s` sets the clock, `-f` and `-r` look at files.
  command('date +*', ['* -*']),
  command('git status *', SUBMODULES),
  command('git branch --list *', ['git branch --list * -*', 'git branch --list -*']),
  // `--dirty` and `--broken` look into submodules.
  command('git describe *', ['* --di*', '* --b*']),
  // `--parseopt` shows what it is fed.
  command('git rev-parse *', ['* --p*', '* --std*']),
  // `--output` writes a file, `--ext-diff` runs a program, `--stdin` complains about what it is fed, `-O` reads a file.
  command('git log *', [...TELLTALE, ...SECRETS]),
  command('git diff ?*', ['git diff * ?*', ...TELLTALE, ...SECRETS]),
  command('git diff'),
  ...DIFF_OPTIONS.map((option) =>
    command(`git diff ${option} ?*`, [`git diff ${option} * ?*`, ...TELLTALE, ...SECRETS]),
  ),
  ...['HEAD', 'HEAD~?'].map((from) =>
    command(`git diff ${from} -- ?*`, ['git diff * -- * ?*', ...TELLTALE, ...SECRETS]),
  ),
];

function command(pattern: string, unless: readonly string[] = []): HarmlessCommand {
  return { pattern, unless: [...UNKNOWN_WORDS, ...unless] };
}

function words(text: string): string[] {
  return text.split(' ');
}
