import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The machine's own Node and npm, and nothing that npm has kept. */
function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_OPTIONS');
  const path = process.env['PATH']!.split(':').filter((entry) => !entry.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(':'),
    npm_config_cache: join(folder, 'npm-cache'),
    DRAGOMAN_HOME: join(folder, 'home'),
  };
}

test('on a fresh clone npm start alone installs what running needs and serves; the second start installs nothing', async () => {
  const folder = tempFolder();
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);

  const start = async (stop: (npm: number) => void) => {
    const npm = spawn('npm', ['start', '--', '--port', '0', '--json'], {
      cwd: clone,
      env: bareEnvironment(folder),
      detached: true,
    });
    let said = '';
    npm.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(npm, 'close') as Promise<[number | null]>;
    for await (const line of createInterface({ input: npm.stdout })) {
      if (!line.startsWith('{')) continue;
      const { url } = JSON.parse(line) as { url: string };
      const health = (await (await fetch(`${url}/health`)).json()) as { status: string };
      stop(npm.pid!);
      const [exitCode] = await ended;
      const isGone = await fetch(`${url}/health`).then(
        () => false,
        () => true,
      );
      return { said, health: health.status, exitCode, isGone };
    }
    throw new Error(`npm start ended without being ready: ${said}`);
  };

  const first = await start((npm) => process.kill(-npm, 'SIGINT')); // Ctrl-C: the whole group hears it.
  expect(first).toMatchObject({ health: 'ok', exitCode: 0, isGone: true });
  expect(first.said).toContain('Installing what Dragoman needs to run; this happens once.');
  expect(existsSync(join(clone, 'node_modules', 'vitest'))).toBe(false);

  const second = await start((npm) => process.kill(npm, 'SIGTERM')); // A supervisor: npm alone hears it.
  expect(second).toMatchObject({ health: 'ok', exitCode: 0, isGone: true });
  expect(second.said).not.toContain('Installing');
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('');
});
