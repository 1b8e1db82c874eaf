import type { Lexis } from './lexis.ts';

/*
 * Where texts and comments end: each function is given the offset where one begins, and gives the offset behind it. What
 * never ends reaches to the end of the file, or of its line.
 */

const OPEN_SQUARE = 91;
const CLOSE_SQUARE = 93;
const OPEN_BRACE = 123;
const MAX_REGEX_LENGTH = 1000;

export function stringEnd(text: string, at: number, quoting: Lexis['double']): number {
  const quote = text[at]!;
  switch (quoting) {
    case 'triple':
      return text.startsWith(quote + quote, at + 1)
        ? quotedEnd(text, at + 3, quote + quote + quote)
        : lineStringEnd(text, at);
    case 'lines':
      return quotedEnd(text, at + 1, quote);
    case 'raw': {
      const end = text.indexOf(quote, at + 1);
      return end === -1 ? text.length : end + 1;
    }
    case 'character':
      return characterEnd(text, at);
    default:
      return lineStringEnd(text, at);
  }
}

/** Behind the next part of a template text: its closing quote, or the `${` that leads out of it. */
export function templatePartEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 96) return at + 1;
    else if (code === 36 && text.charCodeAt(at + 1) === OPEN_BRACE) return at + 2;
  }
  return text.length;
}

function lineStringEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i + 1;
    if (code === 10) return i;
    // A backslash at the end of the line carries the text over to the next.
    if (code === 92) {
      i++;
      if (text.charCodeAt(i) === 13) i++;
    }
  }
  return text.length;
}

function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from; ;) {
    const end = text.indexOf(quote, at);
    if (end === -1) return text.length;
    let slashes = 0;
    while (end - 1 - slashes >= from && text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end + quote.length;
    at = end + 1;
  }
}

function characterEnd(text: string, at: number): number {
  const before = at === 0 ? 0 : text.charCodeAt(at - 1);
  // Digit separators, and primes in names.
  if (
    (before >= 48 && before <= 57) ||
    (before >= 97 && before <= 122) ||
    (before >= 65 && before <= 90) ||
    before === 95
  )
    if (before !== 76 && before !== 117 && before !== 85 && before !== 98) return at + 1;
  if (text.charCodeAt(at + 1) === 92) {
    const end = text.indexOf("'", at + 3);
    return end !== -1 && end - at <= 14 ? end + 1 : at + 1;
  }
  for (let i = at + 2; i <= at + 5; i++) {
    const code = text.charCodeAt(i);
    if (code === 39) return i + 1;
    // Only what is outside ASCII takes more than one place, and the letters of old multi-character constants.
    if (code === 10 || Number.isNaN(code)) break;
    if (text.charCodeAt(at + 1) < 128) break;
  }
  return at + 1;
}

/** The end of a raw text whose opening quote is at this offset; -1 when it is not one. */
export function rawStringEnd(text: string, at: number, prefix: NonNullable<Lexis['rawPrefix']>): number {
  const before = text.charCodeAt(at - 1);
  switch (prefix) {
    case 'R(': {
      if (before !== 82) return -1;
      const paren = text.indexOf('(', at);
      if (paren === -1 || paren - at > 17) return -1;
      const close = `)${text.slice(at + 1, paren)}"`;
      const end = text.indexOf(close, paren);
      return end === -1 ? text.length : end + close.length;
    }
    case '@': {
      if (before !== 64 && !(before === 36 && text.charCodeAt(at - 2) === 64)) return -1;
      for (let from = at + 1; ;) {
        const end = text.indexOf('"', from);
        if (end === -1) return text.length;
        if (text.charCodeAt(end + 1) !== 34) return end + 1;
        from = end + 2;
      }
    }
    case 'r#':
    case '#': {
      let hashes = 0;
      while (text.charCodeAt(at - 1 - hashes) === 35) hashes++;
      if (prefix === 'r#') {
        if (text.charCodeAt(at - 1 - hashes) !== 114) return -1;
      } else if (hashes === 0) return -1;
      const close = `"${'#'.repeat(hashes)}`;
      const end = text.indexOf(close, at + 1);
      return end === -1 ? text.length : end + close.length;
    }
  }
}

export function commentEnd(text: string, from: number, open: string, close: string, isNested: boolean): number {
  let end = text.indexOf(close, from);
  if (!isNested) return end === -1 ? text.length : end + close.length;
  let inner = text.indexOf(open, from);
  for (let depth = 1; end !== -1;) {
    if (inner !== -1 && inner < end) {
      depth++;
      const at = inner + open.length;
      inner = text.indexOf(open, at);
      if (at > end) end = text.indexOf(close, at);
    } else {
      depth--;
      const at = end + close.length;
      if (depth === 0) return at;
      end = text.indexOf(close, at);
      if (inner !== -1 && inner < at) inner = text.indexOf(open, at);
    }
  }
  return text.length;
}

const VALUE_WORDS = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'and',
  'or',
  'not',
  'if',
  'unless',
  'when',
  'elsif',
  'while',
  'until',
  'yield',
  'await',
]);

export function mayBeginRegex(text: string, at: number): boolean {
  let i = at - 1;
  while (i >= 0 && (text.charCodeAt(i) === 32 || text.charCodeAt(i) === 9)) i--;
  if (i < 0) return true;
  const before = text.charCodeAt(i);
  if ('\n(,=:[!&|?{};+-*%~^>'.includes(text[i]!)) return !(before === 43 && text.charCodeAt(i - 1) === 43);
  if (!isWord(before)) return false;
  let start = i;
  while (start > 0 && i - start < 10 && isWord(text.charCodeAt(start - 1))) start--;
  return VALUE_WORDS.has(text.slice(start, i + 1));
}

export function regexEnd(text: string, at: number, lineEnd: number): number {
  let inClass = false;
  const stop = Math.min(lineEnd, at + MAX_REGEX_LENGTH);
  for (let i = at + 1; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === OPEN_SQUARE) inClass = true;
    else if (code === CLOSE_SQUARE) inClass = false;
    else if (code === 47 && !inClass) return i + 1;
  }
  return at + 1;
}

export function longBracketLevel(text: string, at: number): number {
  if (text.charCodeAt(at) !== OPEN_SQUARE) return -1;
  let level = 0;
  while (text.charCodeAt(at + 1 + level) === 61) level++;
  return text.charCodeAt(at + 1 + level) === OPEN_SQUARE ? level : -1;
}

export function longBracketEnd(text: string, at: number): number {
  const close = `]${'='.repeat(longBracketLevel(text, at))}]`;
  const end = text.indexOf(close, at + 2);
  return end === -1 ? text.length : end + close.length;
}

export interface Heredoc {
  tag: string;
  /** Its last line may be indented. */
  isIndented: boolean;
  length: number;
}

const SHELL_HEREDOC = /<<(?<dash>-)?[ \t]*(["'\\]?)(?<tag>[A-Za-z_][\w-]{0,40})\2?/y;
const RUBY_HEREDOC = /<<(?<dash>[~-])?(["'`]?)(?<tag>[A-Z_][A-Za-z0-9_]{0,40})\2/y;
const PHP_HEREDOC = /<<<[ \t]*(["']?)(?<tag>[A-Za-z_]\w{0,40})\1/y;

export function heredocAt(text: string, at: number, kind: NonNullable<Lexis['heredoc']>): Heredoc | undefined {
  // `<<<` of a shell is a text on the same line.
  if (kind === 'shell' && (text.charCodeAt(at + 2) === 60 || text.charCodeAt(at - 1) === 60)) return undefined;
  const pattern = kind === 'shell' ? SHELL_HEREDOC : kind === 'ruby' ? RUBY_HEREDOC : PHP_HEREDOC;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match?.groups === undefined) return undefined;
  const isIndented = kind === 'php' || match.groups['dash'] !== undefined;
  return { tag: match.groups['tag']!, isIndented, length: match[0].length };
}

/** Behind the word that closes a heredoc whose text begins here; -1 when none does. */
export function heredocEnd(text: string, from: number, { tag, isIndented }: Heredoc): number {
  for (let at = from; ;) {
    const found = text.indexOf(tag, at);
    if (found === -1) return -1;
    let start = found;
    if (isIndented)
      while (start > from && (text.charCodeAt(start - 1) === 32 || text.charCodeAt(start - 1) === 9)) start--;
    at = found + tag.length;
    if ((start === from || text.charCodeAt(start - 1) === 10) && !isWord(text.charCodeAt(at))) return at;
  }
}

export function dollarQuoteEnd(text: string, at: number): number {
  let end = at + 1;
  while (end - at < 40 && isWord(text.charCodeAt(end))) end++;
  if (text.charCodeAt(end) !== 36) return at + 1;
  const tag = text.slice(at, end + 1);
  const close = text.indexOf(tag, end + 1);
  return close === -1 ? text.length : close + tag.length;
}

export function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
