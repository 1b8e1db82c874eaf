import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../../packages/context/src/index/definitions/language.ts';
import type { WordRows } from '../../../packages/context/src/index/vectors/word-rows.ts';
import { PAIR_KINDS } from '../extract/pair.ts';
import { readPairs } from '../pairs-file.ts';
import { pairRows } from './pair-rows.ts';
import { PairSieve } from './pair-sieve.ts';

/** A repository's name, and the file of its pairs. */
export interface PairsOf {
  name: string;
  file: string;
}

/** How many pairs were written, by kind and by language of the code. */
export interface EncodedCounts {
  kinds: Map<string, number>;
  languages: Map<string, number>;
}

/**
 * `<set>.meta`: for each pair its kind, its repository (2 bytes), how many rows of the question, the path and the code.
 * `<set>.ids`: these rows, sorted, each as the difference to the one before (2 bytes): a bag has no order, and small numbers
 * pack well. `<set>.repositories`: their names, one to a line.
 */
export async function encodePairs(
  of: readonly PairsOf[],
  rows: WordRows,
  out: string,
  set: string,
): Promise<EncodedCounts> {
  const sieve = new PairSieve();
  const meta: Uint8Array[] = [];
  const ids: Uint16Array[] = [];
  const counts: EncodedCounts = { kinds: new Map(), languages: new Map() };
  for (const [repository, { file }] of of.entries()) {
    const ownMeta: number[] = [];
    const ownIds: number[] = [];
    sieve.nextRepository();
    for await (const pair of readPairs(file)) {
      if (!sieve.isKept(pair)) continue;
      const bags = pairRows(pair, rows);
      if (bags === undefined) continue;
      const { asks, stands, says } = bags;
      const kind = PAIR_KINDS.indexOf(pair.kind);
      ownMeta.push(kind, repository & 255, repository >> 8, asks.length, stands.length, says.length);
      for (const bag of [asks, stands, says]) pushSteps(ownIds, bag);
      addOne(counts.kinds, pair.kind);
      if (pair.kind !== 'both') addOne(counts.languages, languageOf(pair.path) ?? 'other');
    }
    meta.push(Uint8Array.from(ownMeta));
    ids.push(Uint16Array.from(ownIds));
  }
  writeFileSync(join(out, `${set}.meta`), Buffer.concat(meta));
  writeFileSync(join(out, `${set}.ids`), Buffer.concat(ids.map(({ buffer }) => Buffer.from(buffer))));
  writeFileSync(join(out, `${set}.repositories`), of.map(({ name }) => name).join('\n'));
  return counts;
}

function pushSteps(into: number[], bag: readonly number[]): void {
  let before = 0;
  for (const id of bag.toSorted((one, other) => one - other)) {
    into.push(id - before);
    before = id;
  }
}

function addOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
