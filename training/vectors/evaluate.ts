import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeVectors } from '../../packages/context/src/index/vectors/code-vectors.ts';
import { readVectorFile } from '../../packages/context/src/index/vectors/vector-file.ts';
import { readOrStop, stop } from '../stop.ts';
import { evaluateRepository, type Score } from './evaluate/evaluate-repository.ts';
import { fileNameOf, readRepositoryList, SHIPPED_LIST } from './repository-list.ts';

/** With fewer questions a repository is shown, but not counted. */
const LEAST_QUESTIONS = 30;

interface Row extends Score {
  name: string;
  language: 'English' | 'Chinese';
  candidates: number;
}

// npm run vectors:evaluate -- FILE PAIRS [LIST.tsv]: doc comment to definition, MRR@10 within each held-out repository of the list.
const [file, pairs, list] = process.argv.slice(2);
if (file === undefined || pairs === undefined) stop('npm run vectors:evaluate -- FILE PAIRS [LIST.tsv]');
const vectors = readOrStop(file, () => new CodeVectors(readVectorFile(readFileSync(file))));
const rows: Row[] = [];
for (const repository of readOrStop(list ?? SHIPPED_LIST, () => readRepositoryList(list))) {
  const { name, role } = repository;
  const pairsFile = join(pairs, `${fileNameOf(repository)}.tsv`);
  if (role !== 'held-out' || !existsSync(pairsFile)) continue;
  const { candidates, english, chinese } = await evaluateRepository(pairsFile, vectors);
  if (english.questions > 0) rows.push({ name, language: 'English', candidates, ...english });
  if (chinese.questions > 0) rows.push({ name, language: 'Chinese', candidates, ...chinese });
}
if (rows.length === 0)
  stop(
    `${pairs} holds no doc comments of a repository that the list holds out; give some the role held-out, and extract them`,
  );

print('repository', 'language', 'questions', 'among', 'BM25', 'vectors');
for (const row of rows)
  print(
    row.questions < LEAST_QUESTIONS ? `(${row.name})` : row.name,
    row.language,
    row.questions,
    row.candidates,
    row.byWords.toFixed(3),
    row.byVectors.toFixed(3),
  );
for (const language of ['English', 'Chinese'] as const) {
  const counted = rows.filter((row) => row.language === language && row.questions >= LEAST_QUESTIONS);
  if (counted.length === 0) continue;
  const mean = (of: (row: Row) => number) =>
    (counted.reduce((sum, row) => sum + of(row), 0) / counted.length).toFixed(3);
  const questions = counted.reduce((sum, row) => sum + row.questions, 0);
  print(
    `mean of ${counted.length}`,
    language,
    questions,
    '',
    mean(({ byWords }) => byWords),
    mean(({ byVectors }) => byVectors),
  );
}

function print(...[name, language, ...numbers]: (string | number)[]): void {
  const columns = numbers.map((number) => String(number).padStart(9));
  process.stdout.write(`${String(name).padEnd(36)} ${String(language).padEnd(8)} ${columns.join(' ')}\n`);
}
