import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
import { generateTree } from './context/generate-tree.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NODE = [process.execPath, '--conditions=@dragoman/source', '--max-semi-space-size=16'];
const DRAGOMAN = [...NODE, join(ROOT, 'packages/cli/bin/dragoman.js')];
const QUESTIONS = 200;
/** Other questions that are asked first: what counts is a server that has been at work. */
const WARM_UP = 100;
const EDITS = 15;

/**
 * Speed and size of the context engine on a large tree: `npm run bench context`, or with a tree of your own
 * `npm run bench context -- --tree DIR` (it is copied for the edits only in so far as one file is added and removed).
 */
export async function run(options: readonly string[]): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  const given = options[options.indexOf('--tree') + 1];
  const tree = options.includes('--tree') && given !== undefined ? resolve(given) : join(work, 'tree');
  const home = join(work, 'home');
  try {
    if (!existsSync(tree)) generateTree(tree, 30_000, 250_000_000);
    const env = { ...process.env, DRAGOMAN_HOME: home };
    await scanning(tree);
    const { bytes } = await indexing(tree, env);
    row('index on disk', bytesIn(join(home, 'index')) / bytes, '× the source', 'limit 0.35');
    await asking(tree, env);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A cold scan with names, beside listing the same files with rg and hashing them with sha256sum. */
async function scanning(tree: string): Promise<void> {
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    execFileSync('sh', ['-c', `"${rgPath}" --files --hidden -0 . | xargs -0 sha256sum > /dev/null`], { cwd: tree });
    const reference = performance.now() - started;
    const out = execFileSync(NODE[0]!, [...NODE.slice(1), join(ROOT, 'bench/context/scan.ts'), tree], {
      encoding: 'utf8',
    });
    const { ms } = JSON.parse(out) as { ms: number };
    times.push(ms);
    ratios.push(ms / reference);
  }
  row('cold scan and names', median(times), 'ms', `${median(ratios).toFixed(2)} × rg --files and sha256sum, limit 2.5`);
}

async function indexing(tree: string, env: NodeJS.ProcessEnv): Promise<{ bytes: number }> {
  const first = await runIndex(tree, env);
  row('index', first.ms / 1000, 's', 'limit 25 s');
  row('  peak memory', first.peakMb, 'MB', 'limit 600 MB');
  row('  files', first.facts.files, '', `${(first.facts.bytes / 1e6).toFixed(0)} MB`);
  const second = await runIndex(tree, env);
  row('second scan', second.ms / 1000, 's', `files read: ${second.facts.counters['files read']}, limit 0`);
  return { bytes: first.facts.bytes };
}

interface IndexFacts {
  files: number;
  bytes: number;
  counters: Record<string, number>;
}

async function runIndex(
  tree: string,
  env: NodeJS.ProcessEnv,
): Promise<{ ms: number; peakMb: number; facts: IndexFacts }> {
  const started = performance.now();
  const child = spawn(DRAGOMAN[0]!, [...DRAGOMAN.slice(1), 'index', tree, '--json', '--stats'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMb = 0;
  const watching = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child))), 100);
  let out = '';
  child.stdout.on('data', (piece) => (out += String(piece)));
  await once(child, 'close');
  clearInterval(watching);
  return { ms: performance.now() - started, peakMb, facts: JSON.parse(out) as IndexFacts };
}

async function asking(tree: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(DRAGOMAN[0]!, [...DRAGOMAN.slice(1), 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const added = join(tree, 'bench_added_file.ts');
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const ask = async (query: string) => {
      const started = performance.now();
      const response = await fetch(`${url}/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, limit: 10 }),
      });
      const { results } = (await response.json()) as { results: { path: string }[] };
      return { ms: performance.now() - started, paths: results.map(({ path }) => path) };
    };
    row('first question after a restart', (await ask('how are requests retried')).ms, 'ms', 'limit 1000 ms');
    const questions = questionsAbout(tree);
    for (const query of questions.slice(0, WARM_UP)) await ask(query);
    const times: number[] = [];
    for (const query of questions.slice(WARM_UP)) times.push((await ask(query)).ms);
    row('question p50', percentile(times, 0.5), 'ms', 'limit 15 ms');
    row('question p95', percentile(times, 0.95), 'ms', 'limit 60 ms');

    const edits: number[] = [];
    writeFileSync(added, '');
    for (let edit = 0; edit < EDITS; edit++) {
      const word = `zebra${edit}quagga`;
      const started = performance.now();
      appendFileSync(added, `export const ${word} = ${edit};\n`);
      while (!(await ask(word)).paths.includes('bench_added_file.ts'));
      edits.push(performance.now() - started);
    }
    row('edit to found p50', percentile(edits, 0.5), 'ms', 'limit 300 ms');
    row('edit to found max', Math.max(...edits), 'ms', '');
    row('server memory', Number(/VmRSS:\s+(\d+)/.exec(status(child))?.[1] ?? 0) / 1024, 'MB', '');
  } finally {
    rmSync(added, { force: true });
    child.kill('SIGTERM');
    await once(child, 'close');
  }
}

/** Questions in the tree's own words: of a file's path, and of a line in it. */
function questionsAbout(tree: string): string[] {
  const files = execFileSync(rgPath, ['--files', '.'], { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 28 })
    .split('\n')
    .filter((path) => /\.(?:go|ts|py|js|rs|java|c|cc|rb)$/.test(path))
    .sort();
  const questions: string[] = [];
  const words = (text: string) => text.match(/[A-Za-z][a-z]{3,}/g) ?? [];
  for (let number = 0; questions.length < WARM_UP + QUESTIONS; number++) {
    const path = files[(number * 7_919) % files.length]!;
    const lines = readFileSync(join(tree, path), 'utf8').split('\n');
    const said = words(lines[(number * 31) % lines.length] ?? '').slice(0, 4);
    questions.push(`how does ${words(path).slice(-3).join(' ')} ${said.join(' ')}`.trim());
  }
  return questions;
}

function row(name: string, value: number, unit: string, remark: string): void {
  const shown = value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(2);
  console.log(`${name.padEnd(32)} ${shown.padStart(9)} ${unit.padEnd(13)} ${remark}`);
}

function status(child: ChildProcess): string {
  try {
    return readFileSync(`/proc/${child.pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

function peakOf(child: ChildProcess): number {
  return Number(/VmHWM:\s+(\d+)/.exec(status(child))?.[1] ?? 0) / 1024;
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function median(values: number[]): number {
  return percentile(values, 0.5);
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(share * values.length))]!;
}
