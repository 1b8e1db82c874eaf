import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubClient } from '@dragoman/protocol';
import { runDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { calls, says } from './chat-answer.fixture.ts';

test('everything in the data folder is its owner’s alone, whatever the umask and whoever made it; an agent’s files follow the umask', async () => {
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));
  const [home, folder] = [tempFolder(), tempFolder()];
  chmodSync(home, 0o777);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');

  const server = await serveDragoman([], { home });
  await createHubClient({ url: server.url, token: server.token }).listRunners();
  await expect.poll(() => existsSync(join(home, 'runner'))).toBe(true);
  const provider = await startFakeProvider();
  provider.answer(
    calls('write', { filePath: 'written.txt', content: 'a' }),
    calls('bash', { command: 'mkdir made; seq 50000; cp written.txt copied.txt', description: 'count' }),
    calls('read', { filePath: 'written.txt' }),
    says('done'),
  );
  const ran = await runDragoman(
    ['run', '--yes', '--base-url', `${provider.url}/v1`, '--model', 'm', '--api-key', 'k', 'go'],
    { home, cwd: folder },
  );
  expect(ran.exitCode).toBe(0);
  await runDragoman(['sessions', 'list'], { home });
  await runDragoman(['index'], { home, cwd: folder });

  const open = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (statSync(join(home, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
  );
  expect(open).toEqual([]);
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(['written.txt', 'copied.txt', 'made'].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
    0o666, 0o666, 0o777,
  ]);
  await server.stop();
});
