import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureParts, measurePermissions, measureToolOverhead } from './agent/measure-parts.ts';
import { limit } from './limit.ts';

const HERE = fileURLToPath(new URL('agent', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../packages/cli/bin/dragoman.js', import.meta.url));

/** How our program is started against the scripted upstream, whose address it finds in its environment. */
const OURS = [
  'sh',
  '-c',
  `exec ${process.execPath} --conditions=@dragoman/source --max-semi-space-size=16 ${PROGRAM} run go --format json --base-url "$MOCK_BASE_URL" --api-key "$MOCK_API_KEY" --model "$MOCK_MODEL" "$@"`,
  'sh',
];
const REFERENCE = [process.execPath, join(HERE, 'reference-loop.mjs')];

interface Result {
  exit: number;
  stepsSeen: number;
  sideRequests: number;
  startCpuMs: number;
  stepCpuMs: number;
  stepCpuFirst10: number;
  stepCpuLast10: number;
  peakRssMiB: number;
}

/** The loop beside the smallest one that passes; how each misbehaviour ends; the cost of the pieces, which has limits. */
export async function run(): Promise<void> {
  harness(OURS, ['--runs', '1', '--steps', '2']); // The first start compiles.
  console.log('loop                     CPU to first request   CPU per step (first ten, last ten)   peak memory');
  for (const [name, command, steps] of [
    ['reference, 20 steps', REFERENCE, 20],
    ['ours, 20 steps', OURS, 20],
    ['ours, 200 steps', OURS, 200],
  ] as const) {
    const runs = harness(command, ['--runs', steps === 20 ? '5' : '2', '--steps', String(steps)]);
    const pick = (get: (result: Result) => number) => median(runs.map(get));
    console.log(
      `${name.padEnd(24)} ${pick((r) => r.startCpuMs)} ms`.padEnd(48) +
        `${pick((r) => r.stepCpuMs)} ms (${pick((r) => r.stepCpuFirst10)}, ${pick((r) => r.stepCpuLast10)})`.padEnd(
          37,
        ) +
        `${pick((r) => r.peakRssMiB)} MiB`,
    );
  }
  console.log('limits                   800 ms                 40 ms                                150 MiB\n');
  for (const [scenario, options, more] of [
    ['same', [], []],
    ['parallel-same', [], []],
    ['bad-args', [], []],
    ['unknown-tool', [], []],
    ['retry-429', ['--steps', '3'], []],
    ['tool', ['--usage', '58000'], ['--context', '60000']],
  ] as const) {
    const [result] = harness([...OURS, ...more], ['--runs', '1', '--scenario', scenario, ...options]);
    const what = more.length > 0 ? 'nearly full context' : scenario;
    console.log(
      `${what.padEnd(24)} exit ${result!.exit}, ${result!.stepsSeen + 1} calls of the model, ${result!.sideRequests} beside`,
    );
  }
  console.log('');
  limit('a tool call beside its tool [NFR-01]', await measureToolOverhead(), 10);
  limit('a message of 20 parts read and written [NFR-02]', measureParts(), 1);
  const { warm, first } = measurePermissions();
  limit('the first permission among 1,000 new rules [NFR-03]', first, 5);
  limit('a later permission among them [NFR-03]', warm, 5);
}

function harness(command: readonly string[], options: readonly string[]): Result[] {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    const done = spawnSync(
      process.execPath,
      [join(HERE, 'bench.mjs'), '--target', 'command', '--json', ...options, '--', ...command],
      { encoding: 'utf8', env: { ...process.env, DRAGOMAN_HOME: home } },
    );
    if (done.status !== 0) throw new Error(`The harness failed: ${done.stderr}`);
    return (JSON.parse(done.stdout) as { results: Result[] }).results;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
