import { REACH_BEFORE, type SecretKind } from './secret-kind.ts';

/** So much of a text is looked at before others get a turn. */
const BLOCK = 64 * 1024;

/** Kinds of secrets that are looked for together. Where two claim the same place, the first of them has it. */
export interface SecretSearch {
  kinds: readonly SecretKind[];
  /** By the number of a pair of characters, the hints that begin with it. */
  hints: readonly (readonly Hint[] | undefined)[];
}

interface Hint {
  text: string;
  /** Where its kinds stand in the list. */
  kinds: readonly number[];
}

interface Span {
  start: number;
  end: number;
  mark: string;
}

/** So near to the beginning of a piece of text it is not known what stands before. */
const EDGE = 16;

/** Prepares the search for kinds of secrets. */
export function secretSearch(kinds: readonly SecretKind[]): SecretSearch {
  const hints: Hint[][] = Array.from({ length: 1 << 14 });
  for (const text of new Set(kinds.flatMap((kind) => kind.hints))) {
    const wanting = kinds.flatMap((kind, index) => (kind.hints.includes(text) ? [index] : []));
    (hints[pairNumber(text.charCodeAt(0), text.charCodeAt(1))] ??= []).push({ text, kinds: wanting });
  }
  return { kinds, hints };
}

/** Takes all the turns at once. */
export function toEnd<Result>(turns: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = turns.next();
    if (done === true) return value;
  }
}

/**
 * The text with marks in place of its secrets, and how many there were: a piece at a time, because what is long must not keep
 * others waiting.
 */
export function* markSecrets(
  text: string,
  { kinds, hints }: SecretSearch,
): Generator<undefined, { text: string; count: number }> {
  const spans: Span[][] = [];
  for (let start = 0; start < text.length; start += BLOCK) {
    if (start > 0) yield;
    const places = findHints(text, start, Math.min(start + BLOCK, text.length - 1), hints);
    for (const [kind, found] of places.entries())
      if (found !== undefined) findSecrets(text, kinds[kind]!, found, (spans[kind] ??= []));
  }
  return withMarks(text, spans.reduce(addWhereFree, []));
}

/** Where hints begin from one place to before another, for each kind that wants them. */
function findHints(text: string, from: number, to: number, hints: SecretSearch['hints']): number[][] {
  const places: number[][] = [];
  let pair = text.charCodeAt(from);
  for (let at = from; at < to; at++) {
    pair = pairNumber(pair, text.charCodeAt(at + 1));
    const beginning = hints[pair];
    if (beginning === undefined) continue;
    for (const hint of beginning)
      if (text.startsWith(hint.text, at)) for (const kind of hint.kinds) (places[kind] ??= []).push(at);
  }
  return places;
}

/** Notes the secrets of a kind around its hints. */
function findSecrets(text: string, kind: SecretKind, places: readonly number[], spans: Span[]): void {
  for (let index = 0; index < places.length;) {
    const from = Math.max(0, places[index]! - REACH_BEFORE);
    let to = places[index]! + kind.reach;
    while (++index < places.length && places[index]! - REACH_BEFORE <= to) to = places[index]! + kind.reach;
    for (const match of text.slice(from, to).matchAll(kind.pattern)) {
      const whole = match.index + match[0].length;
      // What is cut off at an edge is about another hint, which is looked at by itself.
      if ((from > 0 && match.index < EDGE) || (to < text.length && from + whole >= to)) continue;
      const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, whole];
      if (kind.isSecret === undefined || kind.isSecret(text.slice(from + start, from + end)))
        spans.push({ start: from + start, end: from + end, mark: kind.mark });
    }
  }
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

function withMarks(text: string, spans: readonly Span[]): { text: string; count: number } {
  if (spans.length === 0) return { text, count: 0 };
  const pieces = spans.flatMap(({ start, mark }, index) => [text.slice(spans[index - 1]?.end ?? 0, start), mark]);
  return { text: [...pieces, text.slice(spans.at(-1)!.end)].join(''), count: spans.length };
}

/** Two neighbours as one number. Other alphabets fall on the same numbers as ours, so a hint is compared as a whole as well. */
function pairNumber(before: number, code: number): number {
  return ((before & 127) << 7) | (code & 127);
}
