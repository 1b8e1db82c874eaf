import { writePairs } from '../pairs-file.ts';
import type { PairKind } from './pair.ts';
import { extractRepository } from './extract-repository.ts';

/** What a process of this kind prints, in one line of JSON. */
export type ExtractReport =
  | { commit: string; refused: string }
  | { commit: string; licence: string; files: number; bytes: number; counts: Partial<Record<PairKind, number>> };

// extract-process.ts GIT_DIR COMMIT OUT.tsv [own]: one repository in a process of its own, so that a large one cannot take others along.
const [gitDir = '', commit = '', file = '', own] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await report())}\n`);

async function report(): Promise<ExtractReport> {
  const extracted = await extractRepository({ gitDir, commit, isOwn: own === 'own' });
  if ('refused' in extracted) return extracted;
  const { pairs, ...about } = extracted;
  writePairs(file, pairs);
  const counts: Partial<Record<PairKind, number>> = {};
  for (const { kind } of pairs) counts[kind] = (counts[kind] ?? 0) + 1;
  return { ...about, counts };
}
