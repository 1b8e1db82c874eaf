import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expandTilde, pathOf, type ShellWord } from './shell-word.ts';

/** More words than these are not made of one. */
const MOST = 512;
/** What stands before a path inside a word: `--file=x`, `HEAD:x`, `a,x`, `@x`. */
const BEFORE_PATHS = /[=:,@]/;

/**
 * Every text that may be a path in a word, with braces and file patterns filled in as the shell would, in one folder.
 *
 * These are texts to be compared with denies, so one too many does little harm: `--out=a:b` is `a:b`, `a` and `b`. What
 * stands behind a part that only the shell knows (`$DIR/x`) is taken for a path of its own.
 */
export function pathTexts(word: ShellWord, home: string, folder: string): string[] {
  const escaped = escapedText(word, home);
  const texts = expandBraces(escaped).flatMap((text) => expandFiles(text, folder));
  return [...new Set(texts.flatMap((text) => insideWord(text, home)))].filter(
    (text) => text !== '' && !text.includes('\n'),
  );
}

/** The word as one text in which a backslash stands before every sign that means itself; unknown parts are a NUL. */
function escapedText(word: ShellWord, home: string): string {
  const path = pathOf(word, home);
  if (path !== undefined && word.pieces[0]?.kind === 'dynamic') return escape(path);
  const text = word.pieces
    .map((piece) => (piece.kind === 'dynamic' ? '\0' : piece.kind === 'quoted' ? escape(piece.text) : piece.text))
    .join('');
  return word.pieces[0]?.kind === 'bare' ? (expandTilde(text, home) ?? text) : text;
}

function escape(text: string): string {
  return text.replace(/[*?[\]{},()\\]/g, String.raw`\$&`);
}

function plain(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

/** `a{b,c}` → `ab`, `ac`; the innermost braces first. */
function expandBraces(text: string): string[] {
  let texts = [text];
  for (let round = 0; round < 8; round++) {
    const next = texts.flatMap((each) => {
      const braces = /(?<!\\)\{((?:\\[\s\S]|[^{}\\])*?(?<!\\),(?:\\[\s\S]|[^{}\\])*?)\}/.exec(each);
      if (braces === null) return [each];
      const [before, after] = [each.slice(0, braces.index), each.slice(braces.index + braces[0].length)];
      return braces[1]!.split(/(?<!\\),/).map((part) => before + part + after);
    });
    if (next.length === texts.length || next.length > MOST) break;
    texts = next;
  }
  return texts;
}

/** The files that a pattern stands for; the text as it is where it is none. Like the shell, only a dot finds a dot. */
function expandFiles(text: string, folder: string): string[] {
  const pattern = text.replace(/[@!+?*]\([^()]*\)/g, '*');
  if (!/(?<!\\)[*?[]/.test(pattern)) return [plain(text)];
  let found = [pattern.startsWith('/') ? '/' : ''];
  for (const part of pattern.split('/').filter((each) => each !== '')) {
    if (!/(?<!\\)[*?[]/.test(part)) found = found.map((each) => join(each, plain(part)));
    else {
      const matches = partPattern(part);
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
  const source = part.replace(
    /\\([\s\S])|\*+|\?|\[([!^]?)([^\]]+)\]|[^\w]/g,
    (match, escaped?: string, not?: string, set?: string) => {
      if (escaped !== undefined) return RegExp.escape(escaped);
      if (match.startsWith('*')) return '.*';
      if (match === '?' || match === '\0') return match === '?' ? '.' : '.*';
      // A class with a name inside, or one that is no class of ours, may be any character.
      if (set !== undefined)
        return /[[\]\\]/.test(set) ? '.' : `[${not === '' ? '' : '^'}${set.replace(/[\^\\]/g, String.raw`\$&`)}]`;
      return RegExp.escape(match);
    },
  );
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    return /^/;
  }
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
