import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathTexts } from './expand-word.ts';
import { isFileCommand } from './file-commands.ts';
import { ReadingBudget } from './reading-budget.ts';
import { literalOf, type ShellWord } from './shell-word.ts';

/** A path that a command may read, or write as well. */
export interface TouchedPath {
  path: string;
  isWriting: boolean;
  /** The command is not known to take paths, so the word may be something else. */
  isGuess: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Commands that write no file that they name. `sed`, `sort`, `find` and `git` are looked at more closely. */
const ONLY_READING = words(
  'cat head tail nl tac wc ls dir stat du df cmp diff comm cut paste tr od xxd hexdump strings base64 md5sum sha1sum sha256sum ' +
    'basename dirname realpath readlink grep egrep fgrep rg ag jq file less more tree echo printf cd pushd popd test [ [[ which ' +
    'type true false : pwd sleep source . export declare local readonly unset set let read fd cmp zcat env printenv date',
);
const GIT_ONLY_READING = words(
  'status log diff show blame grep branch tag add commit push fetch remote rev-parse rev-list ls-files ls-tree cat-file ' +
    'describe shortlog config check-ignore reflog for-each-ref show-ref',
);
/** The last word is where they write to, the others are what they read. */
const COPYING = words('cp scp rsync install ln');
const INTO_FOLDERS = words('cp mv scp rsync install ln');
const INTERPRETERS = /^(python[\d.]*|pypy\d*|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|sh|bash|dash|zsh|ksh)$/;
/** A path may stand in quotes in what they are told to do. */
const TAKING_CODE = /^(python[\d.]*|pypy\d*|node|nodejs|deno|bun|tsx|perl|ruby|php|lua|[gmn]?awk)$/;
/** Words behind which a name stands that is no path: `npm run build`. */
const RUNNING = words('run exec x task dlx');

/**
 * The paths that a command may touch, as they are written, for denies to be held against.
 *
 * Every word may be a path, for who knows every command; so does every value of an option. Only the name of what a
 * command of commands does (`npm test`, `git push`) is none.
 */
export function touchedPaths(
  name: string,
  arguments_: readonly ShellWord[],
  place: { home: string; folder: string; isWrapper: boolean; budget?: ReadingBudget },
): TouchedPath[] {
  const { home, folder, isWrapper, budget = new ReadingBudget() } = place;
  const isGuess = !isFileCommand(name);
  const texts = arguments_.map((word) => literalOf(word) ?? '$');
  const isWriting = mayWrite(name, texts) && !(isWrapper && isGuess);
  const named = texts.map((text, index) => ({ text, index })).filter(({ text }) => !text.startsWith('-'));
  const skipped = isGuess ? subcommands(named) : new Set<number>();
  const last = named.at(-1)?.index ?? -1;
  const hasTarget = texts.some((text) => /^(-\w*t|--target)/.test(text));

  const writes = (index: number) => {
    if (!isWriting) return false;
    if (name === 'dd') return texts[index]!.startsWith('of=');
    if (COPYING.has(name) && !hasTarget) return index === last || texts[index]!.startsWith('-');
    return !(INTERPRETERS.test(name) && index === named[0]?.index);
  };
  const touched = arguments_.flatMap((word, index) =>
    skipped.has(index)
      ? []
      : pathTexts(word, home, folder, budget).map((path) => ({ path, isWriting: writes(index), isGuess })),
  );
  if (TAKING_CODE.test(name)) {
    const inCode = texts.flatMap((text) => [...text.matchAll(/(["'`])([^"'`\s]+)\1/g)].map(([, , path]) => path!));
    return [...touched, ...inCode.map((path) => ({ path, isWriting: true, isGuess: true }))];
  }
  if (!INTO_FOLDERS.has(name)) return touched;
  const targets = touched
    .filter((each) => each.isWriting && isFolder(resolve(folder, each.path)))
    .map(({ path }) => path);
  const sources = named.flatMap(({ index }) => pathTexts(arguments_[index]!, home, folder, budget));
  budget.spend('paths', targets.length * sources.length);
  const inside = targets.flatMap((target) => sources.map((source) => join(target, basename(source))));
  return [...touched, ...inside.map((path) => ({ path, isWriting: true, isGuess }))];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function subcommands(named: readonly { text: string; index: number }[]): ReadonlySet<number> {
  const [first, second] = named;
  if (first === undefined || !/^[\w-]+$/.test(first.text)) return new Set();
  return new Set(
    second !== undefined && RUNNING.has(first.text) && /^[\w:-]+$/.test(second.text)
      ? [first.index, second.index]
      : [first.index],
  );
}

function mayWrite(name: string, texts: readonly string[]): boolean {
  if (ONLY_READING.has(name)) return false;
  switch (name) {
    case 'sed':
    case 'gsed':
      return texts.some((text) => /^(-[a-zA-Z]*i|--in-place)/.test(text));
    case 'sort':
      return texts.some((text) => /^(-[a-zA-Z]*o|--o)/.test(text));
    case 'find':
      return texts.some((text) => /^-(delete|fprint|fls)/.test(text));
    case 'git': {
      const command = texts.find((text, index) => !text.startsWith('-') && !/^(-C|-c)$/.test(texts[index - 1] ?? ''));
      return command === undefined || !GIT_ONLY_READING.has(command);
    }
    default:
      return true;
  }
}
