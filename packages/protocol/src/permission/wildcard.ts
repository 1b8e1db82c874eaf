/** One character. */
const ONE = 1;
/** Any run of characters, slashes included. */
const RUN = 2;
/** `**` and the slash behind it at the start of a path's part: any folders, or none. */
const FOLDERS = 3;

const [STAR, QUESTION, BRACKET] = [42, 63, 91];

/** A pattern read once, to be matched often: pieces of literal text, and wildcards between them. */
export type Wildcard = readonly (string | typeof ONE | typeof RUN | typeof FOLDERS)[];

/**
 * Reads `*` (any run of characters) and `?` (one character). `[*]`, `[?]` and `[[]` stand for the character itself; any
 * other bracket is one. With `hasFolders`, two stars between slashes are any folders, or none.
 */
export function parseWildcard(pattern: string, { hasFolders = false }: { hasFolders?: boolean } = {}): Wildcard {
  const pieces: (string | typeof ONE | typeof RUN | typeof FOLDERS)[] = [];
  let literal = '';
  let from = 0;
  const add = (piece: typeof ONE | typeof RUN | typeof FOLDERS) => {
    if (literal !== '') pieces.push(literal);
    literal = '';
    if (piece === ONE || pieces.at(-1) !== piece) pieces.push(piece);
  };

  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charCodeAt(at);
    if (char !== STAR && char !== QUESTION && (char !== BRACKET || !isEscape(pattern, at))) continue;
    literal += pattern.slice(from, at);
    if (char === QUESTION) add(ONE);
    else if (char === BRACKET) {
      literal += pattern[at + 1]!;
      at += 2;
    } else if (hasFolders && pattern.startsWith('**/', at) && isAtPart(literal, pieces)) {
      add(FOLDERS);
      at += 2;
    } else add(RUN);
    from = at + 1;
  }
  literal += pattern.slice(from);
  if (literal !== '') pieces.push(literal);
  return pieces;
}

/**
 * Whether the whole text looks like the pattern.
 *
 * No backtracking beyond the last wildcard: the leftmost place where a piece fits leaves the most for what follows, so
 * no earlier choice needs to be taken back. The time is at most text times pattern, whatever either holds.
 */
export function matchesWildcard(wildcard: Wildcard, text: string): boolean {
  let at = 0;
  let piece = 0;
  let lastWild = -1;
  let from = 0;

  for (;;) {
    const wanted = wildcard[piece];
    if (wanted === undefined) {
      if (at === text.length) return true;
    } else if (typeof wanted === 'string') {
      if (text.startsWith(wanted, at)) {
        at += wanted.length;
        piece += 1;
        continue;
      }
    } else if (wanted === ONE) {
      if (at < text.length) {
        at = nextCharacter(text, at);
        piece += 1;
        continue;
      }
    } else {
      if (wanted === RUN && piece === wildcard.length - 1) return true;
      lastWild = piece;
      from = at;
      piece += 1;
      continue;
    }
    if (lastWild === -1) return false;
    from = nextStart(wildcard, lastWild, text, from);
    if (from === -1) return false;
    at = from;
    piece = lastWild + 1;
  }
}

/** The text as a pattern that matches it alone. */
export function escapeWildcard(text: string): string {
  return text.replace(/[*?]|\[(?=[*?[])/g, '[$&]');
}

/** How many characters of a pattern stand for themselves. */
export function countLiterals(wildcard: Wildcard): number {
  let count = 0;
  for (const piece of wildcard) if (typeof piece === 'string') count += piece.length;
  return count;
}

/** Whether the pattern stands for one text only. */
export function isLiteral(wildcard: Wildcard): boolean {
  return wildcard.every((piece) => typeof piece === 'string');
}

/** Whether a part of the path begins behind what was read. */
function isAtPart(literal: string, pieces: Wildcard): boolean {
  return literal === '' ? pieces.length === 0 || pieces.at(-1) === FOLDERS : literal.endsWith('/');
}

function isEscape(pattern: string, at: number): boolean {
  if (pattern[at + 2] !== ']') return false;
  const escaped = pattern.charCodeAt(at + 1);
  return escaped === STAR || escaped === QUESTION || escaped === BRACKET;
}

/** The next place from which what follows the wildcard could fit, or -1. */
function nextStart(wildcard: Wildcard, wild: number, text: string, from: number): number {
  if (wildcard[wild] === FOLDERS) {
    const slash = text.indexOf('/', from);
    return slash === -1 ? -1 : slash + 1;
  }
  if (from >= text.length) return -1;
  const next = nextCharacter(text, from);
  const following = wildcard[wild + 1];
  return typeof following === 'string' ? text.indexOf(following, next) : next;
}

/** A character outside the basic plane takes two places. */
function nextCharacter(text: string, at: number): number {
  return at + (text.codePointAt(at)! > 0xffff ? 2 : 1);
}
