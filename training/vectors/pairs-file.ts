import { createReadStream, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Pair, PairKind } from './extract/pair.ts';

/**
 * Writes the pairs of one repository, one to a line: kind, path, the words that ask, the words of the code. A file is
 * whole or not there.
 */
export function writePairs(file: string, pairs: readonly Pair[]): void {
  const lines = pairs.map(
    ({ kind, path, query, code }) => `${kind}\t${path.replaceAll(/\s/g, ' ')}\t${query.join(' ')}\t${code.join(' ')}\n`,
  );
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, lines.join(''));
  renameSync(`${file}.part`, file);
}

/** Reads them again, one by one. */
export async function* readPairs(file: string): AsyncGenerator<Pair> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const [kind, path, query, code] = line.split('\t');
    if (code !== undefined)
      yield { kind: kind as PairKind, path: path!, query: query!.split(' '), code: code.split(' ') };
  }
}
