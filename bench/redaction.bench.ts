import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactToolText } from '@dragoman/protocol/secrets';

const ROOT = join(import.meta.dirname, '..');
const SOURCE_BYTES = 24_000_000;
const DIFF_BYTES = 12_000_000;
const KINDS = ['ts', 'js', 'mjs', 'cjs', 'json', 'md', 'css', 'html', 'yml', 'svg', 'sh', 'py', 'c', 'h'];
const LINES = 20_000;

/**
 * How much ordinary text loses by mistake when secrets are taken out of it, and how fast that goes: sources of the packages
 * that are installed, diffs of this repository without its tests, which hold made-up secrets, and what tools print.
 * `-- --show` prints the lines that were changed.
 */
export async function run(options: readonly string[]): Promise<void> {
  const corpora: Record<string, string[]> = { sources: sources(), diffs: diffs(), 'tool results': toolResults() };
  let [lines, changed] = [0, 0];
  for (const [name, texts] of Object.entries(corpora)) {
    const bytes = texts.reduce((sum, { length }) => sum + length, 0);
    const started = process.cpuUsage();
    const redacted = texts.map((text) => redactToolText(text).text);
    const { user, system } = process.cpuUsage(started);
    const wrong = texts.flatMap((text, index) => changedLines(text, redacted[index]!));
    const count = texts.reduce((sum, text) => sum + text.split('\n').length, 0);
    if (options.includes('--show')) for (const line of wrong) console.log(`  ${line}`);
    console.log(
      `${name.padEnd(14)} ${(bytes / 1e6).toFixed(1).padStart(6)} MB ${String(count).padStart(8)} lines ${String(wrong.length).padStart(4)} changed   ${(bytes / (user + system)).toFixed(0).padStart(4)} MB for a second of CPU`,
    );
    lines += count;
    changed += wrong.length;
  }
  const rate = (changed / lines) * LINES;
  console.log(`\n${rate.toFixed(2)} of ${LINES} lines are changed   limit: fewer than 1${rate < 1 ? '' : '  missed'}`);
  if (rate >= 1) process.exitCode = 1;
  worstStall();
}

/** What a hostile text of a megabyte costs, at worst. */
function worstStall(): void {
  const starts = [
    'curl -u',
    'curl ',
    'mysql ',
    'password="',
    'server=a;password=',
    'eyJ',
    '--a-',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----\n',
    `Comment: Private-Lines: 1${'\n'.repeat(25)}`,
    `Private-Lines: 1\n${'+'.repeat(16_000)}!\n`,
    "'kty'",
    '[{"password":',
    '{"a":"b"}\n',
    'password: a1\n',
    '${PW:-',
    '://a:',
  ];
  const costs = starts.map((start) => {
    const started = process.cpuUsage();
    redactToolText(start.repeat(1_000_000 / start.length));
    const { user, system } = process.cpuUsage(started);
    return [(user + system) / 1000, start] as const;
  });
  const [ms, start] = costs.toSorted(([one], [other]) => other - one)[0]!;
  console.log(`a megabyte of ${JSON.stringify(start)}: ${ms.toFixed(0)} ms, in turns of 64 KB`);
}

function sources(): string[] {
  const names = KINDS.flatMap((kind) => ['-o', '-name', `*.${kind}`]).slice(1);
  const found = execFileSync('find', ['node_modules', '-type', 'f', '(', ...names, ')', '-size', '-1500k'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  // The same files in every run, of all packages.
  const order = (path: string) => createHash('sha256').update(path).digest('hex');
  const files = found
    .trimEnd()
    .split('\n')
    .map((path) => [order(path), path] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const texts: string[] = [];
  for (let [index, bytes] = [0, 0]; index < files.length && bytes < SOURCE_BYTES; index++) {
    const text = readFileSync(join(ROOT, files[index]![1]), 'utf8');
    texts.push(text);
    bytes += text.length;
  }
  return texts;
}

function diffs(): string[] {
  const leftOut = ['*.test.ts', '*.test.tsx', '*.fixture.ts', 'bench', 'testkit', 'e2e', '*.e2e.ts'].map(
    (path) => `:!${path}`,
  );
  const log = execFileSync('git', ['log', '-p', '-n', '300', '--', '.', ...leftOut], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return log.slice(0, DIFF_BYTES).split(/^(?=commit [0-9a-f]{40}$)/m);
}

function toolResults(): string[] {
  const shell = (command: string) =>
    execFileSync('/bin/sh', ['-c', command], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9 });
  const hash = (kind: string, text: string, form: 'hex' | 'base64' | 'base64url') =>
    createHash(kind).update(text).digest(form);
  const rows = Array.from({ length: 20_000 }, (_, index) => {
    const name = `file-${index}`;
    return [
      `${hash('sha256', name, 'hex')}  src/${name}.ts`,
      `${hash('sha1', name, 'hex')} refs/heads/${name}`,
      `"integrity": "sha512-${hash('sha512', name, 'base64')}",`,
      `{"id":"${randomUUID()}","etag":"W/\\"${hash('md5', name, 'hex')}\\"","cursor":"${hash('sha256', name, 'base64url')}"}`,
      `    at Object.<anonymous> (/work/app/node_modules/${name}/index.js:${index}:17)`,
      ` ✓ src/${name}.test.ts (${index % 40} tests) ${index % 900}ms`,
      `<img alt="" src="data:image/png;base64,${hash('sha512', name, 'base64')}${hash('sha512', `${name}b`, 'base64')}">`,
      `npm http fetch GET 200 https://registry.npmjs.org/${name}/-/${name}-1.2.${index}.tgz 120ms (cache hit)`,
      `Digest: sha256:${hash('sha256', name, 'hex')}`,
      `{"type":"usage","input_tokens":${index},"cache_key":"${hash('sha1', name, 'hex')}","nextPageToken":"${hash('sha1', name, 'base64')}"}`,
    ].join('\n');
  });
  return [
    shell('ls -lR node_modules | head -c 4000000'),
    shell('git log --stat -n 400'),
    shell('git log --format="%H %T %P %an %s" -n 2000'),
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
    ...Array.from({ length: 20 }, (_, at) => rows.slice(at * 1000, (at + 1) * 1000).join('\n')),
  ];
}

function changedLines(before: string, after: string): string[] {
  if (before === after) return [];
  const left = new Set(after.split('\n'));
  return before.split('\n').filter((line) => !left.has(line));
}
