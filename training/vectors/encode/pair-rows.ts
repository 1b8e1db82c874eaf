import { pathText } from '../../../packages/context/src/index/vectors/code-vectors.ts';
import type { WordRows } from '../../../packages/context/src/index/vectors/word-rows.ts';
import type { Pair } from '../extract/pair.ts';
import { wordsOf } from '../extract/words-of.ts';

const MOST = { asks: 40, stands: 12, says: 112 };

/** A pair as rows of the table: what asks, the path at which the code stands, what the code says. */
export interface PairRows {
  asks: number[];
  stands: number[];
  says: number[];
}

/** Undefined where too few words are known for anything to be learnt. */
export function pairRows(pair: Pair, rows: WordRows): PairRows | undefined {
  const { place, code } = splitCode(pair);
  const asks = rowsOf(pair.query, rows).slice(0, MOST.asks);
  const stands = rowsOf(place, rows).slice(0, MOST.stands);
  const says = rowsOf(code, rows).slice(0, MOST.says);
  const [leastAsks, leastSays] = pair.kind === 'both' ? [1, 1] : [2, 4];
  return asks.length < leastAsks || says.length < leastSays ? undefined : { asks, stands, says };
}

/** The words of the path, which stand before those of the code, and those of the code. */
export function splitCode({ kind, path, code }: Pair): { place: readonly string[]; code: readonly string[] } {
  const place = kind === 'both' ? [] : wordsOf(pathText(path));
  const isBehindPath = place.every((word, index) => code[index] === word);
  return isBehindPath ? { place, code: code.slice(place.length) } : { place: [], code };
}

function rowsOf(words: readonly string[], rows: WordRows): number[] {
  return words.flatMap((word) => rows.ofWord(word));
}
