/**
 * One line of an ignore file, taken apart.
 *
 * The meaning is git's, down to its corners: a fast walk needs to ask about one entry alone, without its parents, and to
 * be told the line that decided, so the patterns are matched here and held against `git check-ignore` in the tests. Only
 * one thing differs: `?` and `[…]` stand for one character, where git takes one byte.
 *
 * Matching goes forward and remembers one place to return to, so no pattern makes it slow.
 */
export interface IgnorePattern {
  isNegative: boolean;
  /** Written with a `/` at its end: it speaks about folders alone. */
  isFolderOnly: boolean;
  shape: PatternShape;
}

export type PatternShape =
  | { type: 'name'; name: string }
  | { type: 'name-suffix'; suffix: string }
  | { type: 'name-glob'; glob: Glob }
  | { type: 'path'; path: string }
  /** The path starts with `prefix`, and the rest matches segment by segment. */
  | { type: 'path-glob'; prefix: string; segments: Segment[] };

type Glob = Token[];
type Token = number | CharSet;
type Segment = string | Glob | typeof MANY_SEGMENTS;

const MANY_SEGMENTS = Symbol('any number of segments');
// Below the numbers of characters.
const STAR = -1;
const ANY = -2;
const SEPARATOR = -3;
const GLOBSTAR = -4;
const SPECIAL = /[*?[\\]/;

/** Undefined for a line that matches nothing: blank, a comment, or broken. */
export function parseIgnorePattern(line: string, ignoreCase = false): IgnorePattern | undefined {
  if (line.startsWith('#')) return undefined;
  let text = trimTrailingSpaces(line);
  const isNegative = text.startsWith('!');
  if (isNegative) text = text.slice(1);
  const isFolderOnly = text.endsWith('/');
  if (isFolderOnly) text = text.slice(0, -1);
  if (ignoreCase) text = text.toLowerCase();

  const shape = text.includes('/')
    ? parsePath(text.startsWith('/') ? text.slice(1) : text, ignoreCase)
    : parseName(text, ignoreCase);
  return shape && { isNegative, isFolderOnly, shape };
}

/** `path` is relative to the pattern's folder and `name` its last segment, both in lower case if the pattern ignores case. */
export function matchesPattern(shape: PatternShape, path: string, name: string): boolean {
  switch (shape.type) {
    case 'name':
      return name === shape.name;
    case 'name-suffix':
      return name.endsWith(shape.suffix);
    case 'name-glob':
      return matchesGlob(shape.glob, name);
    case 'path':
      return path === shape.path;
    case 'path-glob':
      return (
        path.startsWith(shape.prefix) && matchesSegments(shape.segments, path.slice(shape.prefix.length).split('/'))
      );
  }
}

/**
 * The patterns of the folders that lead to what a pattern with a path names: `/build/` and `/build/out/` for
 * `build/out/keep.ts`. They end where the way could be anywhere.
 */
export function foldersOnTheWay(line: string): string[] {
  const text = trimTrailingSpaces(line).replace(/^!/, '').replace(/^\//, '').replace(/\/$/, '');
  const segments = text.split('/');
  const folders: string[] = [];
  for (let count = 1; count < segments.length; count++) {
    if (segments[count - 1]!.includes('**')) break;
    folders.push(`/${segments.slice(0, count).join('/')}/`);
  }
  return folders;
}

// Only spaces, and not one that is escaped.
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  if (end === line.length) return line;
  let backslashes = 0;
  while (end - backslashes > 0 && line[end - backslashes - 1] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

function parseName(text: string, ignoreCase: boolean): PatternShape | undefined {
  if (text === '') return undefined;
  if (!SPECIAL.test(text)) return { type: 'name', name: text };
  if (text.startsWith('*') && !SPECIAL.test(text.slice(1))) return { type: 'name-suffix', suffix: text.slice(1) };
  const glob = tokenize(text, false, ignoreCase);
  return glob && { type: 'name-glob', glob };
}

function parsePath(text: string, ignoreCase: boolean): PatternShape | undefined {
  const special = text.search(SPECIAL);
  if (special === -1) return { type: 'path', path: text };
  // git compares the plain beginning first and matches only the rest, so `a**/b` is `a` and then `**/b`.
  const tokens = tokenize(text.slice(special), true, ignoreCase);
  return tokens && { type: 'path-glob', prefix: text.slice(0, special), segments: toSegments(tokens) };
}

function toSegments(tokens: Glob): Segment[] {
  const segments: Segment[] = [];
  let glob: Glob | undefined = [];
  for (const token of tokens) {
    if (token === GLOBSTAR) {
      segments.push(MANY_SEGMENTS);
      glob = undefined;
    } else if (token === SEPARATOR) {
      segments.push(toSegment(glob ?? []));
      glob = [];
    } else {
      glob = [...(glob ?? []), token];
    }
  }
  if (glob) segments.push(toSegment(glob));
  return segments;
}

function toSegment(glob: Glob): Segment {
  return glob.every((token) => typeof token === 'number' && token >= 0)
    ? String.fromCodePoint(...(glob as number[]))
    : glob;
}

/** A set of characters, such as `[a-z]`. */
interface CharSet {
  isNegated: boolean;
  ranges: [from: number, to: number][];
  ignoreCase: boolean;
}

function tokenize(text: string, isPath: boolean, ignoreCase: boolean): Glob | undefined {
  const tokens: Glob = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    if (char === '*') {
      const start = at;
      while (text[at] === '*') at++;
      const isWholeSegment =
        isPath &&
        at - start > 1 &&
        (start === 0 || text[start - 1] === '/') &&
        (at === text.length || text[at] === '/' || text.startsWith('\\/', at));
      if (!isWholeSegment) {
        tokens.push(STAR);
        continue;
      }
      // At the end it stands for at least one segment, and before an escaped slash too.
      if (text[at] !== '/') tokens.push(STAR, SEPARATOR);
      tokens.push(GLOBSTAR);
      if (at === text.length) continue;
      at += text[at] === '/' ? 1 : 2;
      if (at === text.length) return undefined; // no name is empty
    } else if (char === '[') {
      const set = parseCharSet(text, at, ignoreCase);
      if (!set) return undefined;
      tokens.push(set.set);
      at = set.end;
    } else if (char === '?') {
      tokens.push(ANY);
      at++;
    } else if (char === '/') {
      tokens.push(SEPARATOR);
      at++;
    } else {
      if (char === '\\') at++;
      const code = text.codePointAt(at);
      if (code === undefined) return undefined; // a backslash at the end
      tokens.push(code === 47 ? SEPARATOR : code);
      at += code > 0xffff ? 2 : 1;
    }
  }
  return tokens;
}

const CLASSES: Record<string, [number, number][]> = {
  alnum: ranges('09AZaz'),
  alpha: ranges('AZaz'),
  blank: ranges('  \t\t'),
  cntrl: ranges('\0\x1f\x7f\x7f'),
  digit: ranges('09'),
  graph: ranges('!~'),
  lower: ranges('az'),
  print: ranges(' ~'),
  punct: ranges('!/:@[`{~'),
  space: ranges('  \t\t\n\n\r\r'),
  upper: ranges('AZ'),
  xdigit: ranges('09AFaf'),
};

function ranges(pairs: string): [number, number][] {
  return Array.from({ length: pairs.length / 2 }, (_, index) => [
    pairs.charCodeAt(index * 2),
    pairs.charCodeAt(index * 2 + 1),
  ]);
}

/** The set that starts at `start`. Undefined when it never ends or names an unknown class: git then matches nothing. */
function parseCharSet(text: string, start: number, ignoreCase: boolean): { set: CharSet; end: number } | undefined {
  let at = start + 1;
  const isNegated = text[at] === '!' || text[at] === '^';
  if (isNegated) at++;
  const found: [number, number][] = [];
  let previous: number | undefined;
  // The first member may be `]`.
  for (let isFirst = true; isFirst || text[at] !== ']'; isFirst = false) {
    const code = text.codePointAt(at);
    if (code === undefined) return undefined;
    const char = text[at]!;
    if (char === '-' && previous !== undefined && at + 1 < text.length && text[at + 1] !== ']') {
      at++;
      if (text[at] === '\\') at++;
      const to = text.codePointAt(at);
      if (to === undefined) return undefined;
      found.push([previous, to]);
      previous = undefined;
      at += to > 0xffff ? 2 : 1;
    } else if (char === '[' && text[at + 1] === ':') {
      const close = text.indexOf(']', at + 2);
      if (close === -1) return undefined;
      if (close > at + 2 && text[close - 1] === ':') {
        const members = CLASSES[text.slice(at + 2, close - 1)];
        if (!members) return undefined;
        found.push(...members);
        previous = undefined;
        at = close + 1;
      } else {
        found.push([code, code]);
        previous = code;
        at++;
      }
    } else {
      if (char === '\\') at++;
      const member = text.codePointAt(at);
      if (member === undefined) return undefined;
      found.push([member, member]);
      previous = member;
      at += member > 0xffff ? 2 : 1;
    }
  }
  return { set: { isNegated, ranges: found, ignoreCase }, end: at + 1 };
}

function matchesSet(set: CharSet, code: number): boolean {
  const isMember =
    isInRanges(set.ranges, code) ||
    (set.ignoreCase && isInRanges(set.ranges, String.fromCodePoint(code).toUpperCase().codePointAt(0)!));
  return isMember !== set.isNegated;
}

function isInRanges(members: [number, number][], code: number): boolean {
  return members.some(([from, to]) => code >= from && code <= to);
}

function matchesGlob(glob: Glob, text: string): boolean {
  let at = 0;
  let token = 0;
  let starToken = -1;
  let starAt = 0;
  while (at < text.length) {
    const code = text.codePointAt(at)!;
    const wanted = glob[token];
    if (wanted === STAR) {
      starToken = token++;
      starAt = at;
    } else if (
      wanted !== undefined &&
      (wanted === code || wanted === ANY || (typeof wanted === 'object' && matchesSet(wanted, code)))
    ) {
      token++;
      at += code > 0xffff ? 2 : 1;
    } else if (starToken >= 0) {
      token = starToken + 1;
      starAt += text.codePointAt(starAt)! > 0xffff ? 2 : 1;
      at = starAt;
    } else {
      return false;
    }
  }
  while (glob[token] === STAR) token++;
  return token === glob.length;
}

function matchesSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let at = 0;
  let segment = 0;
  let manySegment = -1;
  let manyAt = 0;
  while (at < names.length) {
    const wanted = segments[segment];
    if (wanted === MANY_SEGMENTS) {
      manySegment = segment++;
      manyAt = at;
    } else if (wanted !== undefined && matchesSegment(wanted, names[at]!)) {
      segment++;
      at++;
    } else if (manySegment >= 0) {
      segment = manySegment + 1;
      at = ++manyAt;
    } else {
      return false;
    }
  }
  while (segments[segment] === MANY_SEGMENTS) segment++;
  return segment === segments.length;
}

function matchesSegment(wanted: string | Glob, name: string): boolean {
  return typeof wanted === 'string' ? wanted === name : matchesGlob(wanted, name);
}
