import { isBuiltinInDoubt } from './builtin-words.ts';
import { isPattern, literalOf, pathOf, type ShellWord } from './shell-word.ts';

/** The shell texts among a command's words. */
export interface ScriptsInWords {
  /** Texts that a shell will run, to be read like the text they stand in. */
  scripts: readonly string[];
  /** It runs something that its words do not show. */
  isUnreadable: boolean;
}

const SHELLS = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'fish', 'csh', 'tcsh']);
/** Their language is another one. */
const FOREIGN = new Set(['zsh', 'fish', 'csh', 'tcsh']);
/** What bash does not take for commands, and another shell does: `((make))`, `[[ x || make ]]`, `ls &> f`. */
export const OF_BASH_ALONE = /(?<!\$)\(\(|\[\[|&>|[<>]\(|\$['"[]|\bfunction\s/;
const INTERPRETERS = /^(python[\d.]*|pypy\d*|node|nodejs|deno|bun|perl|ruby|php|lua|osascript|Rscript|tclsh)$/;
/** These join their words and hand them to a shell. */
const JOINING = new Set(['eval', 'watch', 'flock', 'parallel']);
const AWKS = new Set(['awk', 'gawk', 'mawk', 'nawk']);
/** Options of a shell that take a word, or files of settings that are run first. */
const SHELL_OPTIONS_WITH_VALUE = new Set(['-o', '-O', '+o', '+O', '--rcfile', '--init-file']);

const EMPTY: ShellWord = { pieces: [] };
const NOTHING: ScriptsInWords = { scripts: [], isUnreadable: false };
const UNREADABLE: ScriptsInWords = { scripts: [], isUnreadable: true };

/** What a command runs that is written in its words (`sh -c '…'`), and whether it runs what is not (`curl … | sh`). */
export function scriptsInWords(name: string, words: readonly ShellWord[], home: string): ScriptsInWords {
  if (SHELLS.has(name)) return readByOther(name, inShellWords(words, home));
  if (JOINING.has(name)) return readByOther(name, inJoinedWords(name, words));
  if (name === 'alias') return words.length === 0 ? NOTHING : UNREADABLE;
  if (name === 'trap') return inTrap(words);
  if (isBuiltinInDoubt(name, words)) return UNREADABLE;
  if (AWKS.has(name)) return words.some((word) => runsCommands(literalOf(word) ?? '')) ? UNREADABLE : NOTHING;
  if (name === 'git') return words.some((word) => /^(-c)?alias\./i.test(literalOf(word) ?? '')) ? UNREADABLE : NOTHING;
  if (name === 'source' || name === '.') return inFile(words[0], home);
  if (name === 'env' && words.some((word) => /^(-[a-zA-Z]*S|--split-string)/.test(literalOf(word) ?? '')))
    return UNREADABLE;
  return INTERPRETERS.test(name) && readsItsInput(words) ? UNREADABLE : NOTHING;
}

/** Whether a program of awk hands text to a shell: `system("…")`, `print | "…"`, `"…" | getline`. */
function runsCommands(program: string): boolean {
  return /\bsystem\s*\(|(?<!\|)\|&?(?!\|)\s*("|getline|\w+\s*[;}\n])|(?<!\|)\|&?\s*\w+\s*$/.test(program);
}

/** Of a script that is not for bash, what the shell that runs it may take for something else cannot be read. */
function readByOther(name: string, { scripts, isUnreadable }: ScriptsInWords): ScriptsInWords {
  const isMistaken = !/^(?:r?bash|eval)$/.test(name) && scripts.some((text) => OF_BASH_ALONE.test(text));
  return { scripts, isUnreadable: isUnreadable || isMistaken || (FOREIGN.has(name) && scripts.length > 0) };
}

function inTrap(words: readonly ShellWord[]): ScriptsInWords {
  const [first, ...rest] = words;
  const text = literalOf(first ?? EMPTY);
  if (text === '--') return inTrap(rest);
  return text !== undefined && /^(?:-[lp]*)?$/.test(text) ? NOTHING : inWord(first);
}

/** `sh -c 'script'` can be read on, `sh file` is what it says; a shell that is fed from elsewhere is neither. */
function inShellWords(words: readonly ShellWord[], home: string): ScriptsInWords {
  for (const [index, word] of words.entries()) {
    const text = literalOf(word);
    if (text === '--version' || text === '--help') return NOTHING;
    if (text !== undefined && SHELL_OPTIONS_WITH_VALUE.has(text)) return UNREADABLE;
    if (text !== undefined && /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text))
      return inWord(words.slice(index + 1).find((each) => !/^[-+]/.test(literalOf(each) ?? '')));
    if (text !== undefined && /^[-+]./.test(text) && !/^-[a-zA-Z]*s/.test(text)) continue;
    return inFile(word, home);
  }
  return UNREADABLE;
}

function inWord(word: ShellWord | undefined): ScriptsInWords {
  const text = word === undefined ? undefined : literalOf(word);
  return text === undefined ? UNREADABLE : { scripts: [text], isUnreadable: false };
}

function inJoinedWords(name: string, words: readonly ShellWord[]): ScriptsInWords {
  const texts = words.map(literalOf);
  const isScript = name === 'eval' || texts.some((text) => text !== undefined && /[\s;|&<>()`$]/.test(text));
  return {
    scripts: isScript ? [texts.map((text) => text ?? '').join(' ')] : [],
    isUnreadable: name === 'eval' ? words.length > 0 : texts.includes(undefined),
  };
}

/** A file that is run as a script. What is fed through a pipe or a descriptor has no name. */
function inFile(file: ShellWord | undefined, home: string): ScriptsInWords {
  const path = file === undefined || isPattern(file) ? undefined : pathOf(file, home);
  return path === undefined || path.startsWith('-') || /^\/(dev|proc)\//.test(path) ? UNREADABLE : NOTHING;
}

/** Whether an interpreter has neither a file nor code in its words, and so runs what it is fed. */
function readsItsInput(words: readonly ShellWord[]): boolean {
  const texts = words.map((word) => literalOf(word) ?? '$');
  if (texts.includes('-') || texts.some((text) => /^\/(dev|proc)\//.test(text))) return true;
  if (texts.some((text) => /^(--?(v|V|h|version|help)|-[a-zA-Z]*[cemEpr]|--(eval|print|require|test).*)$/.test(text)))
    return false;
  return texts.every((text) => text.startsWith('-'));
}
