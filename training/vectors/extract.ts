import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readOrStop, stop } from '../stop.ts';
import { appendLog, describeLog, type LogEntry, readLog } from './extract/extract-log.ts';
import type { ExtractReport } from './extract/extract-process.ts';
import { fetchedCommit } from './fetch/fetch-repository.ts';
import { fileNameOf, readRepositoryList, type Repository, SHIPPED_LIST } from './repository-list.ts';
import { runJobs } from './run-jobs.ts';

const TIME_LIMIT_MS = 15 * 60_000;
const PROCESS = join(import.meta.dirname, 'extract', 'extract-process.ts');

// npm run vectors:extract -- MIRRORS PAIRS [LIST.tsv]: makes pairs of the fetched repositories. What log.jsonl tells of is not done again.
const [mirrors, out, list] = process.argv.slice(2);
if (mirrors === undefined || out === undefined) stop('npm run vectors:extract -- MIRRORS PAIRS [LIST.tsv]');
const repositories = readOrStop(list ?? SHIPPED_LIST, () => readRepositoryList(list));
mkdirSync(out, { recursive: true });
const logFile = join(out, 'log.jsonl');
const log = readLog(logFile);
const failed: string[] = [];
await runJobs(repositories, availableParallelism(), async (repository) => {
  try {
    const line = await extract(repository, join(mirrors, fileNameOf(repository)));
    if (line !== undefined) process.stdout.write(`${repository.name}: ${line}\n`);
  } catch (error) {
    failed.push(repository.name);
    process.stderr.write(`${repository.name}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
});
const entries = repositories.flatMap(({ name }) => log.get(name) ?? []);
process.stdout.write(`${describeLog(entries)}\n`);
if (failed.length > 0) {
  process.stderr.write(`not extracted: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
if (entries.length > 0 && entries.every((entry) => 'refused' in entry)) {
  process.stderr.write('every repository was refused: there are no pairs to train with\n');
  process.exitCode = 1;
}

async function extract(repository: Repository, gitDir: string): Promise<string | undefined> {
  const { name } = repository;
  const commit = fetchedCommit(gitDir, repository);
  if (commit === undefined)
    throw new Error(`${gitDir} does not hold ${repository.commit ?? 'it'}; run vectors:fetch first`);
  if (log.get(name)?.commit === commit) return undefined;
  const file = join(out!, `${fileNameOf(repository)}.tsv`);
  rmSync(file, { force: true });
  const started = performance.now();
  const options = ['--conditions=@dragoman/source', '--max-old-space-size=4000', PROCESS];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...options, gitDir, commit, file, ...(repository.licence === 'own' ? ['own'] : [])],
    { timeout: TIME_LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: 1 << 24 },
  );
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const entry: LogEntry = { name, seconds, ...(JSON.parse(stdout) as ExtractReport) };
  appendLog(logFile, entry);
  log.set(name, entry);
  return 'refused' in entry
    ? `refused: ${entry.refused}`
    : `${countAll(entry.counts)} pairs, ${entry.licence}, ${seconds} s`;
}

function countAll(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
