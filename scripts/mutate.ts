import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseAst } from 'vitest/node';
import { judgeBefore, judgeRun, type Verdict } from './mutate/judge-run.ts';
import { type Mutant, breakSource, describeMutant, readMutants } from './mutate/mutant.ts';
import { runTests } from './mutate/run-tests.ts';

/**
 * Breaks the product in one place after the other and runs the tests that must notice. A mutant that no test notices
 * fails the run, and so does a line of the table that proves nothing.
 *
 *   npm run mutate                        the whole table
 *   npm run mutate ACC-22 redact-text     the lines of an id, or of files whose path holds a word
 */
const USAGE = `Usage: npm run mutate -- [ID or a part of a path …] [--limit-s SECONDS for each mutant, 120] [--table FILE]`;
const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const { values, positionals } = readArguments();
const limitMs = Number(values['limit-s']) * 1000;
if (!(limitMs > 0 && limitMs < 2 ** 27)) refuse(`--limit-s is a number of seconds; "${values['limit-s']}" is not.`);
const workers = availableParallelism();
const cacheFolder = mkdtempSync(join(tmpdir(), 'dragoman-mutate-'));
process.once('exit', () => rmSync(cacheFolder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const table = readTable();
const isAbout = (word: string) => (mutant: Mutant) => word === mutant.id || mutant.file.includes(word);
const unknown = positionals.filter((word) => !table.some(isAbout(word)));
if (unknown.length > 0) refuse(`No line of the table is about ${unknown.join(', ')}.`);
const chosen = table.filter((mutant) => positionals.length === 0 || positionals.some((word) => isAbout(word)(mutant)));
const started = Date.now();
const verdicts = await judgeAll(chosen);

const told = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome);
const seconds = Math.round((Date.now() - started) / 1000);
print(
  `\n${chosen.length} mutants in ${seconds} s: ${told('killed').length} killed, ${told('survived').length} survived, ` +
    `${told('bad entry').length} bad entries, ${told('skipped').length} skipped`,
);
for (const { outcome, mutant, why } of [...told('skipped'), ...told('survived'), ...told('bad entry')])
  print(`\n${outcome}: ${describeMutant(mutant)}\n  ${why}`);
if (told('survived').length + told('bad entry').length > 0) process.exitCode = 1;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        table: { type: 'string', default: join(root, 'scripts/mutate/mutants.tsv') },
        'limit-s': { type: 'string', default: '120' },
      },
    });
  } catch (error) {
    return refuse(`${(error as Error).message}\n${USAGE}`);
  }
}

function readTable(): Mutant[] {
  try {
    return readMutants(readFileSync(values.table, 'utf8'));
  } catch (error) {
    return refuse(`${values.table}: ${(error as Error).message}`);
  }
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}

async function judgeAll(mutants: readonly Mutant[]): Promise<(Verdict & { mutant: Mutant })[]> {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  print(`${mutants.length} mutants; first their ${tests.length} files of tests with nothing broken`);
  const before = await runTests({ root, tests, cacheFolder, limitMs: limitMs * 10, workers });
  const waiting = mutants.entries();
  const found: (Verdict & { mutant: Mutant })[] = [];
  const work = async () => {
    for (const [index, mutant] of waiting) {
      const since = Date.now();
      const verdict = judgeBefore(mutant, before, root) ?? (await judge(mutant));
      found[index] = { ...verdict, mutant };
      const took = ((Date.now() - since) / 1000).toFixed(1);
      print(
        `${verdict.outcome.padEnd(9)} ${took.padStart(5)} s  ${describeMutant(mutant)}\n${' '.repeat(19)}${verdict.why}`,
      );
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return found;
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const file = join(root, mutant.file);
  let text;
  try {
    if (!existsSync(file)) throw new Error('there is no such file');
    text = breakSource(readFileSync(file, 'utf8'), mutant);
    parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' });
  } catch (error) {
    return { outcome: 'bad entry', why: (error as Error).message };
  }
  const { tests, only } = mutant;
  return judgeRun(
    mutant,
    await runTests({ root, tests, only, instead: { file, text }, cacheFolder, limitMs, workers: 1 }),
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
