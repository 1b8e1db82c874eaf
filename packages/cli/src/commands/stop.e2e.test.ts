import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { isAlive } from '@dragoman/server/base';
import { closedPort, fillDisk, mountSmallDisk, runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

test('dragoman stop leaves a program alone that has the number of a server that was killed', async () => {
  const home = tempFolder();
  const other = spawn('sleep', ['600']);
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other, 'spawn');
  const secret = 'secret-of-a-lock-that-was-left-behind';
  const note = {
    pid: other.pid,
    startedAt: 5,
    version: '0.1.0',
    secret,
    url: `http://127.0.0.1:${await closedPort()}`,
  };
  writeFileSync(join(home, 'server.lock'), JSON.stringify(note), { mode: 0o600 });

  expect(await runDragoman(['stop'], { home })).toMatchObject({
    exitCode: 0,
    stdout: `No server is running on ${home}.\n`,
  });
  expect(isAlive(other.pid!)).toBe(true);
});

test('dragoman stop ends a server that hangs while it starts', async () => {
  const home = tempFolder();
  // A database that takes connections and never says a word.
  const database = createServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void database.close());
  await once(database, 'listening');
  const url = `postgres://ann@127.0.0.1:${(database.address() as AddressInfo).port}/none`;
  const starting = runDragoman(['serve', '--port', '0'], { home, env: { DRAGOMAN_DATABASE_URL: url } });
  await expect.poll(() => existsSync(join(home, 'server.lock')), { timeout: 60_000 }).toBe(true);
  const { pid } = JSON.parse(readFileSync(join(home, 'server.lock'), 'utf8')) as { pid: number };

  expect((await runDragoman(['stop'], { home })).stdout).toContain('Stopped the server that was starting');
  expect(isAlive(pid)).toBe(false);
  await starting;
});

test('on a full disk dragoman stop says that no server runs where none does (needs the right to mount)', async ({
  skip,
}) => {
  const home = tempFolder();
  if (!mountSmallDisk(home, 24)) skip('small disks cannot be made here');
  const server = await serveDragoman([], { home });
  // The runner of this machine takes its folder with the first request.
  await fetch(`${server.url}/api/runners`, { headers: { authorization: `Bearer ${server.token}` } });
  await server.stop();
  fillDisk(home, 0);

  expect(await runDragoman(['stop'], { home })).toEqual({
    exitCode: 0,
    stdout: `No server is running on ${home}.\n`,
    stderr: '',
  });
});
