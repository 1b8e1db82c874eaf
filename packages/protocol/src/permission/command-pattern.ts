import { matchesWildcard, parseWildcard } from './wildcard.ts';

/** Commands that run what follows them. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'sudo doas su env command builtin exec eval nohup setsid time timeout nice ionice stdbuf xargs watch bash sh zsh dash ksh fish busybox'.split(
    ' ',
  ),
);
/** Options before git's own commands that take the next word. */
export const GIT_OPTIONS_WITH_VALUE: ReadonlySet<string> = new Set(
  '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source'.split(' '),
);
/** How far into a wrapper's arguments the command behind it is looked for. */
const MAX_WORDS = 16;

/** A command line with one space where the shell sees a gap. What is quoted stays as it is. */
export function normalizeCommand(command: string): string {
  if (!/[\t\\"']| {2}/.test(command)) return command.trim();
  return splitWords(command).join(' ').trim();
}

/** The words of a command line as they are written, quotes and all. A line's end is no gap: it may end a command. */
export function splitWords(commandLine: string): string[] {
  const command = commandLine.trim();
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const char = command[at]!;
    if (char === '\\' && quote !== "'") {
      const escaped = command[at + 1] ?? '';
      // A line that goes on behind a backslash is one line.
      if (escaped !== '\n') word += char + escaped;
      at += 1;
    } else if (quote === '' && (char === ' ' || char === '\t')) {
      if (word !== '') words.push(word);
      word = '';
    } else {
      if (quote === '' && (char === '"' || char === "'")) quote = char;
      else if (char === quote) quote = '';
      word += char;
    }
  }
  if (word !== '') words.push(word);
  return words;
}

/**
 * A command as it is written, and then what it comes down to: `/bin/rm x`, `X=1 rm x`, `sudo -u me rm x` and
 * `bash -c "rm x"` are all `rm x`, and `git -C a push` is `git push`.
 *
 * This is a guess, not a wall. It may only make rules stricter: who allows `ls` did not allow `/tmp/ls`.
 */
export function commandSpellings(command: string): string[] {
  const words = splitWords(command);
  const spellings = new Set([normalizeCommand(command)]);
  const first = words.findIndex((word) => !isAssignment(word));
  if (first === -1) return [...spellings];

  for (const plain of plainFrom(words, first)) spellings.add(plain);
  if (!WRAPPERS.has(commandName(words[first]!))) return [...spellings];
  for (let at = first + 1; at < Math.min(words.length, first + MAX_WORDS); at++) {
    for (const plain of plainFrom(words, at)) spellings.add(plain);
    const inner = unquote(words[at]!);
    if (!/\s/.test(inner)) continue;
    for (const piece of inner.split(/[;&|\n()]+/)) {
      spellings.add(normalizeCommand(piece));
      for (const plain of plainFrom(splitWords(piece), 0)) spellings.add(plain);
    }
  }
  return [...spellings].filter(Boolean);
}

/** Reads a pattern of commands. One that ends in ` *` is about the command without arguments too. */
export function compileCommandPattern(pattern: string): (command: string) => boolean {
  const normal = normalizeCommand(pattern);
  const wildcard = parseWildcard(normal);
  if (!normal.endsWith(' *')) return (command) => matchesWildcard(wildcard, command);
  const bare = parseWildcard(normal.slice(0, -2));
  return (command) => matchesWildcard(wildcard, command) || matchesWildcard(bare, command);
}

/** `"/usr/bin/rm"` → `rm` */
export function commandName(word: string): string {
  const plain = unquote(word);
  return /\s/.test(plain) ? plain : plain.slice(plain.lastIndexOf('/') + 1).replace(/\.exe$/i, '');
}

/** `NAME=value` in front of a command. */
export function isAssignment(word: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(word);
}

/** The command from a word on, its name without the folder; of `git` also without the options before what it does. */
function plainFrom(words: readonly string[], at: number): string[] {
  if (at >= words.length) return [];
  const name = commandName(words[at]!);
  const rest = words.slice(at + 1);
  const plain = [name, ...rest].join(' ');
  if (name !== 'git') return [plain];
  let from = 0;
  while (from < rest.length && unquote(rest[from]!).startsWith('-'))
    from += GIT_OPTIONS_WITH_VALUE.has(unquote(rest[from]!)) ? 2 : 1;
  return from === 0 ? [plain] : [plain, [name, ...rest.slice(from)].join(' ')];
}

/** What the program is handed of a word that is written so. */
export function unquote(word: string): string {
  return word.replace(/\\(.)|["']/gs, '$1');
}
