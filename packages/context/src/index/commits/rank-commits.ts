import { readQuestion } from '../rank/question.ts';
import { wordTerms } from '../text/word-terms.ts';
import type { Commit } from './read-commits.ts';

/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** The subject says what a commit is about; a path may be there for many reasons. */
const SUBJECT_WEIGHT = 3;
const WORD = /[\p{L}\p{N}_$]+/gu;

/** Commits as they are searched: how often each term stands in each. */
export interface SearchableCommits {
  commits: readonly Commit[];
  counts: readonly ReadonlyMap<string, number>[];
  lengths: readonly number[];
  averageLength: number;
  /** In how many commits a term stands. */
  frequencies: ReadonlyMap<string, number>;
}

export function prepareCommits(commits: readonly Commit[]): SearchableCommits {
  const counts = commits.map(countTerms);
  const lengths = counts.map((terms) => [...terms.values()].reduce((sum, count) => sum + count, 0));
  const frequencies = new Map<string, number>();
  for (const terms of counts) for (const term of terms.keys()) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const averageLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return { commits, counts, lengths, averageLength, frequencies };
}

/** The commits that have most to do with the question, best first; none where no word of it is found. */
export function rankCommits(prepared: SearchableCommits, query: string, limit: number): Commit[] {
  const { commits, counts, lengths, averageLength, frequencies } = prepared;
  const weights = readQuestion(query).terms.flatMap(({ term }) => {
    const frequency = frequencies.get(term);
    if (frequency === undefined) return [];
    return [{ term, weight: Math.log(1 + (commits.length - frequency + 0.5) / (frequency + 0.5)) }];
  });
  const scored = commits.map((commit, index) => {
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * lengths[index]!) / averageLength);
    let score = 0;
    for (const { term, weight } of weights) {
      const count = counts[index]!.get(term);
      if (count !== undefined) score += (weight * count * (SATURATION + 1)) / (count + norm);
    }
    return { commit, score };
  });
  // Sorting keeps the order of equals, and they come newest first.
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ commit }) => commit);
}

function countTerms({ subject, body, paths }: Commit): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const [word] of text.matchAll(WORD))
      for (const term of wordTerms(word)) counts.set(term, (counts.get(term) ?? 0) + weight);
  };
  add(subject, SUBJECT_WEIGHT);
  add(body, 1);
  for (const path of paths) add(path, 1);
  return counts;
}
