import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonTestResults } from 'vitest/node';
import type { TestRun } from './judge-run.ts';

const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url));

export interface TestRunOptions {
  root: string;
  tests: readonly string[];
  only?: string | undefined;
  /** A file and the text that stands in its place; nothing on the disk changes. */
  instead?: { file: string; text: string };
  /** Where modules that are not broken are kept from run to run. */
  cacheFolder: string;
  limitMs: number;
  workers: number;
}

/** What ends the runs that are under way; nobody else would, since each is a group of its own. */
const running = new Set<() => void>();
process.once('exit', () => {
  for (const end of running) end();
});

/** Runs the tests in a process of its own, which is ended with all it started when it takes too long. */
export async function runTests(options: TestRunOptions): Promise<TestRun> {
  const { root, tests, only, instead, cacheFolder, limitMs, workers } = options;
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-mutant-'));
  const reportFile = join(folder, 'report.json');
  const loadedFile = join(folder, 'loaded');
  const insteadFile = join(folder, 'instead.json');
  writeFileSync(insteadFile, JSON.stringify({ ...instead, loadedFile, cacheFolder }));

  const args = ['run', '--config', CONFIG, '--root', root, '--reporter=json', `--outputFile=${reportFile}`];
  if (only !== undefined) args.push('--testNamePattern', only);
  if (instead !== undefined) args.push('--bail=1');
  const child = spawn(process.execPath, [VITEST, ...args, `--maxWorkers=${workers}`, ...tests], {
    cwd: root,
    detached: true, // A group of its own, so that all of it can be ended.
    env: { ...process.env, DRAGOMAN_INSTEAD: insteadFile, VITEST: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (printed += String(piece)));
  let timedOut = false;
  const endGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // Nothing of it is left.
    }
  };
  const endAll = () => {
    endGroup();
    rmSync(folder, { recursive: true, force: true });
  };
  running.add(endAll);
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup();
  }, limitMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  endGroup();
  running.delete(endAll);

  const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as JsonTestResults) : undefined;
  const loaded = existsSync(loadedFile);
  rmSync(folder, { recursive: true, force: true });
  return { report, timedOut, loaded, printed };
}
