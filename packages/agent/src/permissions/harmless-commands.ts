/** A command that may run without a question, and with what it may not. */
export interface HarmlessCommand {
  pattern: string;
  unless: readonly string[];
}

/** Words that only the shell can fill in: nobody knows before what they will be. */
const UNKNOWN_WORDS = ['*$*', '*`*', '*{*'];
/** A file pattern at the start of a word may become an option: a file can be named `--pre=x`. */
const UNKNOWN_OPTIONS = ['* [*]*', '* [?]*', '* [[]*', '* -[*]*', '* -[?]*', '* -[[]*'];
/** Hints at files with secrets, which `read` would ask about. Plain spellings only: this reminds, it does not contain. */
const SECRETS = [
  ' .env',
  '/.env',
  ':.env',
  ...words('.pem .pfx .p12 .jks .keystore .ppk .kdbx id_rsa id_dsa id_ecdsa id_ed25519 .ssh/ .gnupg/ .aws/'),
  ...words('.netrc .npmrc .pypirc .pgpass .htpasswd .git-credentials'),
].map((hint) => `*${hint}*`);
/** The same where the words are files; among words to look for, `process.env` and `map.key` are no files. */
const SECRET_ENDINGS = ['*.env*', '*.key*'];

/** They print what is in files, or about them. None has an option that writes or runs anything. */
const VIEWERS = words(
  'cat head tail nl wc ls stat du df cmp diff cut tr basename dirname realpath readlink md5sum sha256sum',
);
/** They look for text in files. Nothing of theirs writes or runs anything. */
const SEARCHERS = words('grep egrep fgrep');
/** What changes nothing, as it stands. Most of these do more with other arguments. */
const AS_THEY_STAND = [
  ...words('pwd whoami id date hostname true false sort uniq'),
  ...words('-u -n -r -rn -nr').map((option) => `sort ${option}`),
  'uniq -c',
  'git branch',
  ...words('-a -r -v -vv --show-current').map((option) => `git branch ${option}`),
  'git remote',
  'git remote -v',
  'git stash list',
  'git tag',
  'git worktree list',
  ...words('node npm npx pnpm yarn bun deno python python3 pip go cargo rustc git docker make gcc tsc uv').map(
    (program) => `${program} --version`,
  ),
];

/**
 * Commands that only look.
 *
 * Each was gone through for options that write a file or run a program; a command that has them is allowed without them
 * (`find`, `rg`, `git diff`) or is not here at all (`sed`, `awk`, `tree`, `sort` with arguments, `uniq` with files,
 * `git grep`, `test`, `printf`, `env`). Files outside the project are asked about beside the command, as paths.
 */
export const HARMLESS_COMMANDS: readonly HarmlessCommand[] = [
  ...AS_THEY_STAND.map((pattern) => ({ pattern, unless: [] })),
  ...VIEWERS.map((name) => command(`${name} *`, [...SECRETS, ...SECRET_ENDINGS])),
  ...SEARCHERS.map((name) => command(`${name} *`, SECRETS)),
  command('echo *'),
  command('which *'),
  command('type *'),
  command('uname *'),
  // Without a folder it goes home, and with `-` back to where nobody remembers.
  command('cd ?*', ['cd -*']),
  // `-s` sets the clock.
  command('date +*', ['* -*']),
  // `-C` writes a compiled list of kinds.
  command('file *', ['* -C*', '* -?C*', '* --c*', ...UNKNOWN_OPTIONS]),
  // `--pre` and `--hostname-bin` run a program; `--hidden` and its like look where secrets are.
  command('rg *', ['* --pre*', '* --h*', '* --no-i*', '* --u*', '* -u*', ...SECRETS, ...UNKNOWN_OPTIONS]),
  command('find *', ['* -exec*', '* -ok*', '* -delete*', '* -fprint*', '* -fls*', ...UNKNOWN_OPTIONS]),
  command('git status *'),
  command('git ls-files *'),
  command('git rev-parse *'),
  command('git describe *'),
  // `--output` writes a file, `--ext-diff` runs a program, `--no-index` reads any file; git takes shortened options too.
  ...['diff', 'log', 'show', 'blame'].map((name) =>
    command(`git ${name} *`, ['* --ou*', '* --ext*', '* --no-i*', ...SECRETS, ...UNKNOWN_OPTIONS]),
  ),
];

function command(pattern: string, unless: readonly string[] = []): HarmlessCommand {
  return { pattern, unless: [...UNKNOWN_WORDS, ...unless] };
}

function words(text: string): string[] {
  return text.split(' ');
}
