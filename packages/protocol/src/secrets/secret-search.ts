import { LONGEST_READ, REACH_BEFORE, type SecretKind } from './secret-kind.ts';
import { BLOCK, type Redacted, type Turns } from './turns.ts';

/** Kinds of secrets that are looked for together. Where two claim the same place, the first of them has it. */
export interface SecretSearch {
  kinds: readonly SecretKind[];
  /** By the number of a pair of characters, the hints that begin with it. */
  hints: readonly (readonly Hint[] | undefined)[];
  /** How far before the end of a block secrets may begin that are not settled with it. */
  lag: number;
}

interface Hint {
  text: string;
  /** The number of its third character: most places are told by it not to be the hint's. */
  third: number;
  /** Where its kinds stand in the list. */
  kinds: readonly number[];
}

interface Span {
  start: number;
  end: number;
  mark: string;
}

/** How far a value goes on behind what its pattern reads. */
const MOST_MORE = 16_384;
const MORE = new RegExp(String.raw`[^\s"'\x60\\]{0,${MOST_MORE}}`, 'y');
/** So near to the beginning of a piece of text it is not known what stands before. */
const EDGE = 16;

/** Prepares the search for kinds of secrets. */
export function secretSearch(kinds: readonly SecretKind[]): SecretSearch {
  const hints: Hint[][] = Array.from({ length: 1 << 14 });
  for (const text of new Set(kinds.flatMap((kind) => kind.hints))) {
    const wanting = kinds.flatMap((kind, index) => (kind.hints.includes(text) ? [index] : []));
    (hints[pairNumber(text.charCodeAt(0), text.charCodeAt(1))] ??= []).push({
      text,
      third: text.charCodeAt(2),
      kinds: wanting,
    });
  }
  const reach = kinds.reduce((most, kind) => Math.max(most, kind.reach), 0);
  return { kinds, hints, lag: reach + MOST_MORE + 2 * REACH_BEFORE };
}

/**
 * The text with marks in place of its secrets, and how many there were: a piece at a time, because what is long must not keep
 * others waiting.
 */
export function* markSecrets(text: string, { kinds, hints, lag }: SecretSearch): Turns<Redacted> {
  const found: Span[][] = [];
  const marked = new MarkedText(text);
  for (let start = 0; start < text.length; start += BLOCK) {
    if (start > 0) yield;
    const end = Math.min(start + BLOCK, text.length - 1);
    let looked = 0;
    for (const [kind, places] of findHints(text, start, end, hints)) {
      looked += findSecrets(text, kinds[kind]!, places, (found[kind] ??= []));
      if (looked < BLOCK) continue;
      looked = 0;
      yield;
    }
    // What is still found begins behind this place, and nothing that begins before it reaches so far.
    if (found.length > 0) marked.add(found, start + BLOCK < text.length ? start + BLOCK - lag : text.length);
  }
  return marked.end();
}

/** A text whose secrets are replaced from its beginning on. */
class MarkedText {
  readonly #text: string;
  readonly #pieces: string[] = [];
  #end = 0;
  #count = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces those that begin before a place, and takes them out of the lists. */
  add(found: Span[][], before: number): void {
    const pieces: string[] = [];
    for (const { start, end, mark } of found.reduce(addWhereFree, [])) {
      if (start >= before || start < this.#end) continue;
      pieces.push(this.#text.slice(this.#end, start), mark);
      this.#end = end;
      this.#count++;
    }
    if (pieces.length > 0) this.#pieces.push(pieces.join(''));
    for (const [kind, spans] of found.entries())
      if (spans !== undefined) found[kind] = spans.filter(({ start }) => start >= before);
  }

  end(): Redacted {
    if (this.#count === 0) return { text: this.#text, count: 0 };
    return { text: [...this.#pieces, this.#text.slice(this.#end)].join(''), count: this.#count };
  }
}

/** Whether a text holds a hint. Where it holds none, it holds no secret of these kinds. */
export function hasHint(text: string, { hints }: SecretSearch): boolean {
  let pair = text.charCodeAt(0);
  for (let at = 0; at < text.length - 1; at++) {
    pair = pairNumber(pair, text.charCodeAt(at + 1));
    const beginning = hints[pair];
    if (beginning === undefined) continue;
    for (const hint of beginning) if (isAt(hint, text, at)) return true;
  }
  return false;
}

function isAt({ text: hint, third }: Hint, text: string, at: number): boolean {
  return (third === text.charCodeAt(at + 2) || hint.length === 2) && text.startsWith(hint, at);
}

/** Where hints begin from one place to before another, for each kind that wants them. */
function findHints(text: string, from: number, to: number, hints: SecretSearch['hints']): Map<number, number[]> {
  const places = new Map<number, number[]>();
  let pair = text.charCodeAt(from);
  for (let at = from; at < to; at++) {
    pair = pairNumber(pair, text.charCodeAt(at + 1));
    const beginning = hints[pair];
    if (beginning === undefined) continue;
    for (const hint of beginning) {
      if (!isAt(hint, text, at)) continue;
      for (const kind of hint.kinds) {
        const known = places.get(kind);
        if (known === undefined) places.set(kind, [at]);
        else known.push(at);
      }
    }
  }
  return places;
}

/** Notes the secrets of a kind around its hints, and says how many characters were looked at. */
function findSecrets(text: string, kind: SecretKind, places: readonly number[], spans: Span[]): number {
  let looked = 0;
  for (let index = 0; index < places.length;) {
    const from = Math.max(0, places[index]! - REACH_BEFORE);
    let to = places[index]! + kind.reach;
    while (++index < places.length && places[index]! - REACH_BEFORE <= to) to = places[index]! + kind.reach;
    looked += to - from;
    for (const match of text.slice(from, to).matchAll(kind.pattern)) {
      const whole = match.index + match[0].length;
      // What is cut off at an edge is about another hint, which is looked at by itself.
      if ((from > 0 && match.index < EDGE) || (to < text.length && from + whole >= to)) continue;
      const [start, end] = match.indices?.groups?.['secret'] ?? match.indices?.groups?.['long'] ?? [match.index, whole];
      if (kind.isSecret === undefined || kind.isSecret(text.slice(from + start, from + end)))
        spans.push({ start: from + start, end: readOn(text, from + start, from + end, kind), mark: kind.mark });
    }
  }
  return looked;
}

/** Where a secret ends that its pattern may have cut. */
function readOn(text: string, start: number, end: number, { mayGoOn }: SecretKind): number {
  if (mayGoOn !== true || end - start < LONGEST_READ) return end;
  MORE.lastIndex = end;
  return end + (MORE.exec(text)?.[0].length ?? 0);
}

/** Both lists as one, in the order of the text, without those of the second that lie upon another one. */
function addWhereFree(kept: readonly Span[], added: readonly Span[]): Span[] {
  const all: Span[] = [];
  let index = 0;
  for (const span of added.toSorted((one, other) => one.start - other.start)) {
    while (index < kept.length && kept[index]!.start < span.end) all.push(kept[index++]!);
    if (all.length === 0 || all.at(-1)!.end <= span.start) all.push(span);
  }
  return all.concat(kept.slice(index));
}

/** Two neighbours as one number. Other alphabets fall on the same numbers as ours, so a hint is compared as a whole as well. */
function pairNumber(before: number, code: number): number {
  return ((before & 127) << 7) | (code & 127);
}
