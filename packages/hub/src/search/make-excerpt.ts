import type { Phrase } from './parse-query.ts';
import { splitWords, type Word } from './split-words.ts';
import { textParts } from './text-parts.ts';

/** A piece of a text around what was looked for. */
export interface Excerpt {
  excerpt: string;
  /** Where in it the words are: from, to. */
  marks: [number, number][];
}

const BEFORE_CHARS = 60;
const EXCERPT_CHARS = 240;

/** The place of a text where most of the phrases are close together, with their words marked. */
export function makeExcerpt(text: string, phrases: readonly Phrase[]): Excerpt {
  const at = bestPlace(text, phrases);
  const start = wordStart(text, Math.max(0, at - BEFORE_CHARS));
  const cut = text.slice(start, start + EXCERPT_CHARS);
  const end = start + cut.length;
  const lead = start > 0 ? '…' : '';
  // Line ends are one character before and after, so marks stay where they are.
  const excerpt = lead + cut.replaceAll(/\s/gu, ' ') + (end < text.length ? '…' : '');
  const marks = findPhrases([...splitWords(text.slice(start, end + BEFORE_CHARS))], phrases)
    .filter((place) => place.end <= cut.length)
    .map((place): [number, number] => [place.start + lead.length, place.end + lead.length]);
  return { excerpt: excerpt.toWellFormed(), marks };
}

interface Place {
  start: number;
  end: number;
  phrase: number;
}

function findPhrases(words: readonly Word[], phrases: readonly Phrase[]): Place[] {
  const found: Place[] = [];
  // Where several begin at the same word, the longest is marked.
  const byLength = phrases.toSorted((one, other) => other.keys.length - one.keys.length);
  for (let index = 0; index < words.length; index++) {
    const phrase = byLength.findIndex((candidate) => standsAt(words, index, candidate));
    if (phrase === -1) continue;
    const last = index + byLength[phrase]!.keys.length - 1;
    found.push({ start: words[index]!.start, end: words[last]!.end, phrase });
    index = last;
  }
  return found;
}

function standsAt(words: readonly Word[], index: number, { keys, isPrefix }: Phrase): boolean {
  return keys.every((key, offset) => {
    const word = words[index + offset]?.key;
    if (word === undefined) return false;
    return isPrefix && offset === keys.length - 1 ? word.startsWith(key) : word === key;
  });
}

/**
 * The first of those places that have the most different phrases behind them within the excerpt. The text is read as it was
 * indexed, and no further than to a place that has them all.
 */
function bestPlace(text: string, phrases: readonly Phrase[]): number {
  let best = 0;
  let most = 0;
  for (const part of textParts(text)) {
    const found = findPhrases([...splitWords(part.text)], phrases);
    for (const [index, { start }] of found.entries()) {
      const near = new Set<number>();
      for (let next = index; next < found.length && found[next]!.end <= start + EXCERPT_CHARS - BEFORE_CHARS; next++)
        near.add(found[next]!.phrase);
      if (near.size > most) [best, most] = [part.start + start, near.size];
      if (most === phrases.length) return best;
    }
  }
  return best;
}

/** Not in the middle of a word, where one begins soon, and never in the middle of a character. */
function wordStart(text: string, from: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, from + 20).search(/\s/u);
  const start = space === -1 ? from : from + space + 1;
  return /[\uDC00-\uDFFF]/.test(text[start] ?? '') ? start + 1 : start;
}
