import { splitIdentifier } from './split-identifier.ts';
import { stemWord } from './stem-word.ts';

/** Longer runs are data, not names. */
const LONGEST_WORD = 64;
const CJK = /[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]/;

/**
 * The terms one word of a text is found by: the roots of its parts, and itself where it has several parts.
 *
 * The same function serves files and questions, so both always meet.
 */
export function wordTerms(word: string): string[] {
  if (word.length > LONGEST_WORD) return [];
  if (CJK.test(word)) return cjkTerms(word);
  const parts = splitIdentifier(word);
  const terms = rootsOf(parts);
  if (parts.length > 1) terms.push(wholeTerm(parts));
  return terms;
}

/** Of these terms, the roots of the parts alone. */
export function rootTerms(word: string): string[] {
  if (CJK.test(word)) return wordTerms(word).filter((term) => !term.startsWith('='));
  return word.length > LONGEST_WORD ? [] : rootsOf(splitIdentifier(word));
}

function rootsOf(parts: readonly string[]): string[] {
  const terms: string[] = [];
  for (const part of parts) {
    const term = partTerm(part);
    if (term !== undefined && !terms.includes(term)) terms.push(term);
  }
  return terms;
}

/** The term for a whole identifier: `parse_header` and `parseHeader` are one. */
export function wholeTerm(parts: readonly string[]): string {
  return `=${parts.join('').toLowerCase()}`;
}

/** The parts of names are few and come again and again. */
const known = new Map<string, string | undefined>();
const MOST_KNOWN = 100_000;

export function partTerm(part: string): string | undefined {
  let term = known.get(part);
  if (term !== undefined || known.has(part)) return term;
  const lower = part.toLowerCase();
  term = lower.length < 2 && !/[a-z]/.test(lower) ? undefined : stemWord(lower);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(part, term);
  return term;
}

/** Scripts without spaces: single characters and pairs. */
function cjkTerms(word: string): string[] {
  const terms: string[] = [];
  for (const run of word.match(/[぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]+|[^぀-ヿ㐀-䶿一-鿿가-힯豈-﫿]+/g) ?? []) {
    if (!CJK.test(run)) {
      terms.push(...wordTerms(run));
      continue;
    }
    const chars = Array.from(run);
    for (let at = 0; at < chars.length; at++) {
      terms.push(chars[at]!);
      if (at + 1 < chars.length) terms.push(chars[at]! + chars[at + 1]!);
    }
  }
  return terms;
}
