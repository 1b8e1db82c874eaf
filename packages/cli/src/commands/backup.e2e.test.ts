import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHubClient } from '@dragoman/protocol';
import { AgentRegistry, httpLink, openRunner } from '@dragoman/runner';
import { closedPort, freshLocation, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

test('a copy made while the server runs lets the same token in elsewhere, also on PostgreSQL', async () => {
  const home = tempFolder();
  await serveDragoman([], { home });
  const token = (await runDragoman(['token', 'create', 'laptop'], { home })).stdout.trim();
  const file = join(tempFolder(), 'copy.sqlite');

  const { stdout } = await runDragoman(['backup', file, '--json'], { home });
  expect(JSON.parse(stdout)).toEqual({ file, bytes: expect.any(Number) });

  const { databaseUrl } = await freshLocation('postgres');
  const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };
  expect((await runDragoman(['backup', file, '--restore'], { env })).stdout).toContain(`restored from ${file}.`);
  const { url } = await serveDragoman([], { env });
  expect((await fetch(`${url}/api/me`, { headers: { 'api-key': token } })).status).toBe(200);
});

test('sessions go on where a backup is restored: their machine is the new server', async () => {
  const config = (home: string) =>
    writeFileSync(
      join(home, 'dragoman.json'),
      JSON.stringify({
        agents: {
          sleeper: {
            backend: 'text',
            command: ['sh', '-c', 'read word; [ "$word" = stay ] && sleep 600; echo "Heard $word."'],
          },
        },
      }),
    );
  const [home, moved, folder] = [tempFolder(), tempFolder(), tempFolder()];
  config(home);
  config(moved);
  const args = ['--token', 'a-token-of-this-test'];
  const client = (url: string) => createHubClient({ url, token: 'a-token-of-this-test' });
  const first = await serveDragoman(args, { home });
  const old = client(first.url);
  const { id: sessionId } = await old.createSession({ agent: 'sleeper', folder, prompt: { text: 'stay' } });
  await expect.poll(async () => (await old.getSession({ sessionId })).status, { timeout: 60_000 }).toBe('running');
  const file = join(tempFolder(), 'copy.sqlite');
  await runDragoman(['backup', file], { home });
  await first.stop('SIGKILL');

  await runDragoman(['backup', file, '--restore'], { home: moved });

  const second = await serveDragoman(args, { home: moved });
  const hub = client(second.url);
  expect((await hub.listRunners()).runners).toHaveLength(1);
  await expect
    .poll(async () => (await hub.getSession({ sessionId })).lastError?.code, { timeout: 60_000 })
    .toBe('interrupted');
  expect(await hub.getSession({ sessionId })).toMatchObject({ status: 'failed', isOnline: true });
  await hub.sendPrompt({ sessionId, text: 'go' });
  await expect.poll(async () => (await hub.getSession({ sessionId })).lastText, { timeout: 60_000 }).toBe('Heard go.');
});

test('nothing is restored while any runner of the data folder runs', async () => {
  const home = tempFolder();
  await (await serveDragoman([], { home })).stop();
  const file = join(tempFolder(), 'copy.sqlite');
  await runDragoman(['backup', file], { home });
  const target = tempFolder();
  const place = join(target, 'runner', 'hub.example');
  const log = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const runner = openRunner({
    folder: place,
    registry: new AgentRegistry(),
    agents: () => ({}),
    link: httpLink({ url: `http://127.0.0.1:${await closedPort()}`, token: 'none' }),
    roots: () => [],
    name: 'm',
    host: 'm',
    version: '0',
    isShared: () => false,
    log,
  });
  onTestFinished(() => runner.close());

  expect(await runDragoman(['backup', file, '--restore'], { home: target })).toMatchObject({
    exitCode: 1,
    stderr: `dragoman: ${place} is in use by a "dragoman runner" or "dragoman run" command. End that first.\n`,
  });
  expect(existsSync(join(target, 'dragoman.sqlite'))).toBe(false);
  await runner.close();
  expect(await runDragoman(['backup', file, '--restore'], { home: target })).toMatchObject({ exitCode: 0 });
});

test('a copy is not made over a file, nor from nothing', async () => {
  const home = tempFolder();
  const file = join(home, 'copy.sqlite');

  const { exitCode, stderr } = await runDragoman(['backup', file], { home });

  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    `dragoman: The database ${join(home, 'dragoman.sqlite')} does not exist yet; there is nothing to copy.\n`,
  );
  expect(existsSync(file)).toBe(false);
});
