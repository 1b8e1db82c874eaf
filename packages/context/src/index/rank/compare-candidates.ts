import { splitIdentifier } from '../text/split-identifier.ts';
import { wholeTerm } from '../text/word-terms.ts';
import type { Collected } from './candidates.ts';
import { factsOf } from './file-facts.ts';
import { bitCount, type MaskWeight, maskWeights } from './mask-weights.ts';
import type { Question } from './question.ts';

/** What is the same for all files that are compared. */
export interface Comparison {
  /** The weight of all words together. */
  wordWeight: number;
  words: number;
  weigh: MaskWeight;
  /** The same of what would be one name, and the two words that say most. */
  weighNames: MaskWeight;
  nameWeight: number;
  rarestMask: number;
  rarestWeight: number;
  /** Bits of the terms of each kind. */
  wordMask: number;
  nameMask: number;
  pairMask: number;
  bestScore: number;
  bestFileScore: number;
  languageShare: Map<string, number>;
  termIndex: Map<string, number>;
  symbolNames: Set<string>;
  containers: Set<string>;
  /** How many files have a name, tests apart. */
  stems: Map<string, number>;
  /** The newest version beside each versioned folder. */
  versions: Map<string, number>;
  /** First letters of neighbouring words. */
  acronyms: Set<string>;
  /** Which share of the question's words any of the files has. */
  found: number;
}

/** What the files of one question have in common, to be measured against. */
export function compareCandidates(question: Question, { candidates, weights }: Collected): Comparison {
  const maskOf = (kind: string) =>
    question.terms.reduce((mask, term, index) => mask | (term.kind === kind ? 1 << index : 0), 0);
  const wordMask = maskOf('word');
  const pairMask = maskOf('pair');
  const nameMask = maskOf('whole') | pairMask;
  // What no file has says nothing of any.
  const foundMask = candidates.reduce((mask, one) => mask | one.mask | one.stemMask | one.folderMask, 0);
  const weightsOf = (mask: number) => weights.map((weight, index) => (index < 30 && (mask >>> index) & 1 ? weight : 0));
  const weigh = maskWeights(weightsOf(wordMask & foundMask));
  const weighNames = maskWeights(weightsOf(nameMask & foundMask));
  const rarestMask = question.terms
    .flatMap(({ kind }, index) => (kind === 'word' && (foundMask >>> index) & 1 ? [index] : []))
    .sort((one, other) => weights[other]! - weights[one]!)
    .slice(0, 2)
    .reduce((mask, index) => mask | (1 << index), 0);
  const stems = new Map<string, number>();
  const languageShare = new Map<string, number>();
  const versions = new Map<string, number>();
  let bestScore = 1e-9;
  let bestFileScore = 1e-9;
  for (const { segment, file, chunks, fileScore } of candidates) {
    const { stem, extension, isTest, version, versionOf } = factsOf(segment, file).traits;
    if (!isTest) stems.set(stem, (stems.get(stem) ?? 0) + 1);
    if (version >= 0) versions.set(versionOf, Math.max(version, versions.get(versionOf) ?? 0));
    languageShare.set(extension, (languageShare.get(extension) ?? 0) + 1 / candidates.length);
    bestScore = Math.max(bestScore, chunks[0]?.score ?? 0);
    bestFileScore = Math.max(bestFileScore, fileScore);
  }
  return {
    wordWeight: Math.max(1e-9, weigh(wordMask)),
    words: bitCount(wordMask),
    weigh,
    wordMask,
    weighNames,
    nameWeight: Math.max(1e-9, weighNames(nameMask)),
    rarestMask,
    rarestWeight: Math.max(1e-9, weigh(rarestMask)),
    nameMask,
    pairMask,
    bestScore,
    bestFileScore,
    languageShare,
    termIndex: new Map(question.terms.filter(({ kind }) => kind !== 'synonym').map(({ term, as }) => [term, as])),
    symbolNames: new Set(question.symbols.map(({ name }) => wholeTerm(splitIdentifier(name)))),
    containers: new Set(question.symbols.flatMap(({ container }) => container?.toLowerCase() ?? [])),
    stems,
    versions,
    acronyms: acronymsOf(question.words),
    found: bitCount(wordMask & foundMask) / Math.max(1, bitCount(wordMask)),
  };
}

function acronymsOf(words: readonly string[]): Set<string> {
  const acronyms = new Set<string>();
  for (let from = 0; from < words.length; from++)
    for (let length = 2; length <= 4 && from + length <= words.length; length++)
      acronyms.add(
        words
          .slice(from, from + length)
          .map((word) => word.charAt(0))
          .join(''),
      );
  return acronyms;
}
