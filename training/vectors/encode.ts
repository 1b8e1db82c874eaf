import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WordRows } from '../../packages/context/src/index/vectors/word-rows.ts';
import { readOrStop, stop } from '../stop.ts';
import { chooseWords } from './encode/choose-words.ts';
import { encodePairs, type PairsOf } from './encode/encode-pairs.ts';
import { fileNameOf, readRepositoryList, SHIPPED_LIST } from './repository-list.ts';

// npm run vectors:encode -- PAIRS DATA [LIST.tsv]: chooses the words that get a row, and writes the pairs of the listed repositories as numbers.
const [pairs, out, list] = process.argv.slice(2);
if (pairs === undefined || out === undefined) stop('npm run vectors:encode -- PAIRS DATA [LIST.tsv]');
const listed = readOrStop(list ?? SHIPPED_LIST, () => readRepositoryList(list)).map((repository) => ({
  name: repository.name,
  role: repository.role,
  file: join(pairs, `${fileNameOf(repository)}.tsv`),
}));
const there = listed.filter(({ file }) => existsSync(file)).toSorted((one, other) => (one.file < other.file ? -1 : 1)); // The same order on every machine.
const missing = listed.filter(({ file }) => !existsSync(file));
if (missing.length > 0)
  process.stdout.write(`without pairs, refused or not extracted: ${missing.map(({ name }) => name).join(', ')}\n`);
const train = there.filter(({ role }) => role === 'train');
if (train.length === 0) stop(`${pairs} holds no pairs of a repository to train with; run vectors:extract first`);
mkdirSync(out, { recursive: true });
const words = await chooseWords(train.map(({ file }) => file));
writeFileSync(join(out, 'words.txt'), words.join('\n'));
const chinese = words.filter((word) => word >= '\u3400').length;
process.stdout.write(`${words.length} words have a row, ${chinese} of them Chinese\n`);
const rows = new WordRows(words);
await encode('train', train);
await encode(
  'held',
  there.filter(({ role }) => role === 'held-out'),
);

async function encode(set: string, of: readonly PairsOf[]): Promise<void> {
  const { kinds, languages } = await encodePairs(of, rows, out!, set);
  process.stdout.write(`${set}: ${of.length} repositories; ${sorted(kinds)}; ${sorted(languages)}\n`);
}

function sorted(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
