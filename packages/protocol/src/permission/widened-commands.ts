import { runningWords } from './running-words.ts';

/**
 * Commands that do what their first words say, whatever follows them: no argument makes them run another program, write
 * where others look for programs, or show a file. (Of git's, the words that do so are held back; see `runningWords`.)
 *
 * It is a list of what is known, because there is no end of the others: `tar`, `find`, `sort`, `rsync` and `man` run what an
 * option names, `make`, `npm` and `cargo` what a file, a variable or a setting does, `psql` and `vim` what is typed into
 * them, and `mv`, `cp` and `tee` put a program where it will be run. `git push`, `fetch` and `pull` start a program in the
 * repository that they name, which may be a folder of the project, and a push runs its hooks; `git diff` and `blame` show
 * any two files; `git worktree add` writes what was committed into any folder; `gh … --jq env` shows all variables.
 */
const WIDENED: readonly string[] = [
  'ls',
  'mkdir',
  'touch',
  'basename',
  'dirname',
  'sleep',
  ...under('git', [
    'add branch checkout cherry-pick commit describe log ls-files ls-tree merge',
    'rebase reset restore rev-list rev-parse revert shortlog show status switch tag',
  ]),
  ...under('git stash', ['apply drop list pop push show']),
  ...under('git worktree', ['list prune remove']),
];

const MOST_WORDS = 3;

/** The first words of a command that may stand for all commands that begin with them; nothing where none may. */
export function widenedWords(words: readonly string[]): readonly string[] | undefined {
  if (runningWords(words.join(' ')).length > 0) return undefined;
  for (let count = Math.min(words.length, MOST_WORDS); count > 0; count--)
    if (WIDENED.includes(words.slice(0, count).join(' '))) return words.slice(0, count);
  return undefined;
}

function under(name: string, commands: readonly string[]): string[] {
  return commands.flatMap((some) => some.split(' ')).map((command) => `${name} ${command}`);
}
