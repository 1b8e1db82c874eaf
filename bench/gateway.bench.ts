import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('gateway', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../packages/cli/bin/dragoman.js', import.meta.url));
const [MOCK_PORT, PORT] = [41_300, 41_340];
const TOKEN = 'DGM_BENCHMARK';

/** Clients' dialects and the mock's protocols; the first pair starts the server that all of them share. */
const DIALECTS = {
  augment: 'augment',
  openai: 'openai-chat',
  anthropic: 'anthropic-messages',
  responses: 'openai-responses',
};
const UPSTREAMS = { chat: 'openai-chat', messages: 'anthropic-messages', responses: 'openai-responses' };

/** Every dialect through every upstream beside a bare proxy, with everything on. */
export async function run(args: readonly string[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    const providers = Object.fromEntries(
      Object.entries(UPSTREAMS).map(([name, type]) => [
        name,
        { type, baseUrl: `http://127.0.0.1:${MOCK_PORT}/v1`, apiKey: 'k' },
      ]),
    );
    const limits = { requests: 1_000_000, concurrency: 100_000 };
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ providers, limits, log: { level: 'info' } }));
    writeFileSync(join(home, 'targets.json'), JSON.stringify(targets(home)));
    const options = args.length > 0 ? args : ['--reps', '3', '--scenarios', 'c50,c100d20'];
    const child = spawn(
      process.execPath,
      [join(HERE, 'run.mjs'), '--targets', join(home, 'targets.json'), ...options],
      { stdio: 'inherit' },
    );
    await once(child, 'close');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function targets(home: string): unknown[] {
  const pairs = Object.keys(DIALECTS).flatMap((dialect) =>
    Object.keys(UPSTREAMS).map((upstream) => ({ dialect, upstream })),
  );
  return pairs.map(({ dialect, upstream }, index) => ({
    name: `${dialect} > ${upstream}`,
    ...(index === 0
      ? {
          cmd: [
            'node',
            '--conditions=@dragoman/source',
            '--max-semi-space-size=16',
            PROGRAM,
            'serve',
            '--port',
            '{port}',
            '--json',
            '--token',
            TOKEN,
          ],
          env: { DRAGOMAN_HOME: home },
        }
      : { pidOf: 'augment > chat' }),
    port: PORT,
    dialect,
    model: `${upstream}/{model}`,
    headers: [`authorization: Bearer ${TOKEN}`],
  }));
}
