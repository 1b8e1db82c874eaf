import type { CodeVectors } from '../../../packages/context/src/index/vectors/code-vectors.ts';
import { VectorTable } from '../../../packages/context/src/index/vectors/vector-table.ts';
import { pairRows, splitCode } from '../encode/pair-rows.ts';
import { PairSieve } from '../encode/pair-sieve.ts';
import type { Pair } from '../extract/pair.ts';
import { readPairs } from '../pairs-file.ts';
import { bm25 } from './bm25.ts';
import { textOfWords } from './text-of-words.ts';

/** Beyond the tenth place nothing counts. */
const PLACES = 10;
const MOST_CANDIDATES = 2_000;

/** Mean reciprocal ranks of the questions in one language. */
export interface Score {
  questions: number;
  byWords: number;
  byVectors: number;
}

/** What one repository says: among how many definitions each comment's own was looked for, and how well it was found. */
export interface RepositoryScore {
  candidates: number;
  english: Score;
  chinese: Score;
}

/** Doc comment to definition within one repository, with vectors as the engine makes and packs them, beside BM25 over the same words. */
export async function evaluateRepository(file: string, vectors: CodeVectors): Promise<RepositoryScore> {
  const pairs = await docPairsOf(file, vectors);
  const table = tableOf(pairs, vectors);
  const wordScores = bm25(pairs.map(({ code }) => code));
  const english: Score = { questions: 0, byWords: 0, byVectors: 0 };
  const chinese: Score = { questions: 0, byWords: 0, byVectors: 0 };
  for (const [at, { query }] of pairs.entries()) {
    const score = query.some((word) => /[\u3400-\u9fff]/.test(word)) ? chinese : english;
    const question = vectors.question(textOfWords(query));
    score.questions++;
    score.byWords += reciprocalRank(wordScores(query), at);
    if (question !== undefined) score.byVectors += reciprocalRank(table.scan(question.numbers), at);
  }
  for (const score of [english, chinese]) {
    score.byWords /= score.questions;
    score.byVectors /= score.questions;
  }
  return { candidates: pairs.length, english, chinese };
}

/** The pairs that training would keep. */
async function docPairsOf(file: string, { rows }: CodeVectors): Promise<Pair[]> {
  const sieve = new PairSieve();
  const pairs: Pair[] = [];
  for await (const pair of readPairs(file)) {
    if (!sieve.isKept(pair) || pair.kind !== 'doc' || pairRows(pair, rows) === undefined) continue;
    if (pairs.push(pair) === MOST_CANDIDATES) break;
  }
  return pairs;
}

function tableOf(pairs: readonly Pair[], vectors: CodeVectors): VectorTable {
  const { dimensions, vectorBytes } = vectors;
  const table = new VectorTable(pairs.length, dimensions);
  for (const [at, pair] of pairs.entries()) {
    const { place, code } = splitCode(pair);
    for (const word of code) for (const row of vectors.rows.ofWord(word)) vectors.say(row);
    const placeRows = place.flatMap((word) => vectors.rows.ofWord(word));
    vectors.finishCode(placeRows, table.bytes.subarray(at * vectorBytes, (at + 1) * vectorBytes));
  }
  return table;
}

/** Of those that score alike, the right one is taken to be in the middle. */
function reciprocalRank(scores: ArrayLike<number>, right: number): number {
  let rank = 1;
  for (let at = 0; at < scores.length; at++)
    if (scores[at]! > scores[right]!) rank++;
    else if (at !== right && scores[at] === scores[right]) rank += 0.5;
  return rank <= PLACES ? 1 / rank : 0;
}
