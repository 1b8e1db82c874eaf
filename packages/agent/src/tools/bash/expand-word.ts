import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ReadingBudget } from './reading-budget.ts';
import { expandTilde, pathOf, type ShellWord } from './shell-word.ts';

/** More words than these are not made of one. */
const MOST = 512;
const MOST_STARS = 3;
/** What stands before a path inside a word: `--file=x`, `HEAD:x`, `a,x`, `@x`. */
const BEFORE_PATHS = /[=:,@]/;

/**
 * Every text that may be a path in a word, with braces and file patterns filled in as the shell would, in one folder.
 *
 * These are texts to be compared with denies, so one too many does little harm: `--out=a:b` is `a:b`, `a` and `b`. What
 * stands behind a part that only the shell knows (`$DIR/x`) is taken for a path of its own.
 */
export function pathTexts(
  word: ShellWord,
  home: string,
  folder: string,
  budget: ReadingBudget = new ReadingBudget(),
): string[] {
  const escaped = escapedText(word, home);
  const texts = expandBraces(escaped).flatMap((text) => expandFiles(text, folder, budget));
  return [...new Set(texts.flatMap((text) => insideWord(text, home)))].filter(
    (text) => text !== '' && !text.includes('\n'),
  );
}

/** The word as one text in which a backslash stands before every sign that means itself; unknown parts are a NUL. */
function escapedText(word: ShellWord, home: string): string {
  const path = pathOf(word, home);
  if (path !== undefined && word.pieces[0]?.kind === 'dynamic') return escape(path);
  const text = word.pieces
    .map((piece) =>
      piece.kind === 'dynamic'
        ? (decoded(piece.text) ?? '\0')
        : piece.kind === 'quoted'
          ? escape(piece.text)
          : piece.text,
    )
    .join('');
  return word.pieces[0]?.kind === 'bare' ? (expandTilde(text, home) ?? text) : text;
}

/** `$'\\x2eenv'` → `.env`; nothing for what is no such string. */
function decoded(text: string): string | undefined {
  const inside = /^\$'([\s\S]*)'$/.exec(text)?.[1];
  if (inside === undefined) return undefined;
  const plainText = inside.replace(
    /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
    (_, hex?: string, unicode?: string, octal?: string, other?: string) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return octal === undefined ? other! : String.fromCharCode(Number.parseInt(octal, 8));
    },
  );
  return escape(plainText);
}

function escape(text: string): string {
  return text.replace(/[*?[\]{},()\\]/g, String.raw`\$&`);
}

function plain(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

/** `a{b,c}` → `ab`, `ac`; the innermost braces first. Braces without a comma mean themselves. */
function expandBraces(text: string): string[] {
  const done: string[] = [];
  const open = [text];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    // Too many to make; what stands between the braces and commas is still seen.
    if (done.length + open.length > MOST) return [text.replace(/[{}]/g, ',')];
    const braces = /(?<!\\)\{((?:\\[\s\S]|[^{}\\])*)\}/.exec(each);
    if (braces === null) {
      done.push(each);
      continue;
    }
    const [before, after] = [each.slice(0, braces.index), each.slice(braces.index + braces[0].length)];
    const parts = braces[1]!.split(/(?<!\\),/);
    if (parts.length === 1) open.push(`${before}\\{${parts[0]}\\}${after}`);
    else open.push(...parts.slice(0, MOST + 2).map((part) => before + part + after));
  }
  return done;
}

/** The files that a pattern stands for; the text as it is where it is none. Like the shell, only a dot finds a dot. */
function expandFiles(text: string, folder: string, budget: ReadingBudget): string[] {
  const pattern = text.replace(/[@!+?*]\([^()]*\)/g, '*');
  if (!/(?<!\\)[*?[]/.test(pattern)) return [plain(text)];
  budget.spend('patterns');
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    if (!/(?<!\\)[*?[]/.test(part)) found = found.map((each) => join(each, plain(part)));
    else {
      const matches = partPattern(part);
      budget.spend('folders', found.length);
      found = found.flatMap((each) =>
        namesIn(each.startsWith('/') ? each : join(folder, each))
          .filter((name) => matches.test(name) && (part.startsWith('.') || !name.startsWith('.')))
          .map((name) => join(each, name)),
      );
    }
    found = found.slice(0, MOST);
  }
  return found;
}

function partPattern(part: string): RegExp {
  // With many stars an expression takes for ever, and hardly anybody means one name by it.
  if (part.split(/\*+/).length > MOST_STARS + 1) return /^/;
  const source = part.replace(
    /\\([\s\S])|\*+|\?|\[([!^]?)([^\]]+)\]|[^\w]/g,
    (match, escaped?: string, not?: string, set?: string) => {
      if (escaped !== undefined) return literally(escaped);
      if (match.startsWith('*')) return '.*';
      if (match === '?' || match === '\0') return match === '?' ? '.' : '.*';
      // A class with a name inside, or one that is no class of ours, may be any character.
      if (set !== undefined)
        return /[[\]\\]/.test(set) ? '.' : `[${not === '' ? '' : '^'}${set.replace(/[\^\\]/g, String.raw`\$&`)}]`;
      return literally(match);
    },
  );
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return /^/;
  }
}

function literally(char: string): string {
  return char.replace(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function insideWord(text: string, home: string): string[] {
  if (/^\w+:\/\//.test(text)) return text.startsWith('file://') ? [text.slice('file://'.length)] : [];
  const [first = '', ...rest] = text.split('\0');
  const known = [first, ...rest.map((each) => each.replace(/^\/+/, ''))];
  return known.flatMap((each) => {
    const whole = each.startsWith('-') ? [/^-\w/.test(each) ? each.slice(2) : ''] : [each];
    const pieces = each.split(BEFORE_PATHS).slice(1);
    return [
      ...whole,
      ...(each.startsWith('-') || pieces.length === 0 ? [] : [each.split(BEFORE_PATHS)[0]!]),
      ...pieces,
    ].map((piece) => expandTilde(piece, home) ?? piece);
  });
}
