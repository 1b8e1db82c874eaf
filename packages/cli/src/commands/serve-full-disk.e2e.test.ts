import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  fillDisk,
  freshLocation,
  mountSmallDisk,
  runDragoman,
  serveDragoman,
  tablesOnSmallDisk,
  tempFolder,
} from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const SERVE = ['serve', '--port', '0'];

/** Room for nothing, for the lock, for the schema, for the first tables, for most of them. */
test.for([0, 4, 40, 200, 600])(
  'a start on a disk with %i KB left says that it is full, to people and to programs (needs the right to mount)',
  async (left, { skip }) => {
    const disk = tempFolder();
    if (!mountSmallDisk(disk, 4)) skip('small disks cannot be made here');
    const home = join(disk, 'home');
    fillDisk(disk, left);
    const sentence = `The disk of the data folder ${home} is full. Free up some space, or set DRAGOMAN_HOME to another folder.`;

    expect(await runDragoman(SERVE, { home })).toEqual({ exitCode: 4, stdout: '', stderr: `dragoman: ${sentence}\n` });
    expect(await runDragoman([...SERVE, '--json'], { home })).toEqual({
      exitCode: 4,
      stdout: `${JSON.stringify({ error: sentence })}\n`,
      stderr: `dragoman: ${sentence}\n`,
    });
  },
);

test('a program that asked for JSON is told by it why no server came up', async () => {
  const { exitCode, stdout, stderr } = await runDragoman([...SERVE, '--json', '--exit-when-idle', 'never']);

  expect(exitCode).toBe(2);
  expect(stderr).toBe(`dragoman: ${(JSON.parse(stdout) as { error: string }).error}\n`);
});

test.runIf(process.platform === 'linux')(
  'a server whose first line finds no room says so and ends (needs Linux)',
  async () => {
    const child = spawn(process.execPath, ['--conditions=@dragoman/source', PROGRAM, ...SERVE, '--json'], {
      env: { ...process.env, DRAGOMAN_HOME: tempFolder() },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const [said, [exitCode]] = await Promise.all([child.stderr!.toArray(), once(child, 'close')]);

    expect(`${exitCode} ${Buffer.concat(said as Buffer[]).toString()}`).toBe(
      '1 dragoman: The output could not be written (ENOSPC: no space left on device, write).\n',
    );
  },
);

const FULL = 'The disk of the server is full. Free up some space there, then try again.';

test('while the disk is full every door that writes says so in its own form, and health is not well (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 16)) skip('small disks cannot be made here');
  const server = await serveDragoman([], { home: join(disk, 'home') });
  onTestFinished(() => server.stop().then(() => {}));
  const call = async (path: string, body: unknown, method = 'POST') => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const health = async () => {
    const answer = await fetch(`${server.url}/health`);
    return [answer.status, ((await answer.json()) as { status: string }).status];
  };
  const large = 'x'.repeat(900_000);
  const content = randomBytes(300_000).toString('base64');
  const blobName = createHash('sha256').update('a.txt').update(content).digest('hex');
  const upload = { blobs: [{ path: 'a.txt', content, blob_name: blobName }] };
  const runners = await fetch(`${server.url}/api/runners`, { headers: { authorization: `Bearer ${server.token}` } });
  const [runner] = ((await runners.json()) as { runners: { id: string; agents: { name: string }[] }[] }).runners;
  const session = {
    runnerId: runner!.id,
    agent: 'native',
    folder: disk,
    prompt: { content: [{ type: 'text', text: large }] },
  };
  expect(await health()).toEqual([200, 'ok']);

  const makeRoom = fillDisk(disk, 0);
  await expect.poll(health).toEqual([503, 'the disk is full']);
  expect(await call('/api/sessions', session)).toEqual({
    status: 507,
    body: { error: { code: 'disk-full', message: FULL, requestId: expect.any(String) as string } },
  });
  expect(await call('/batch-upload', upload)).toMatchObject({ status: 507 });

  makeRoom();
  await expect.poll(health, { timeout: 10_000 }).toEqual([200, 'ok']);
  expect((await call('/api/sessions', session)).status).toBe(200);
});

test('while the disk of PostgreSQL is full that is said too, until there is room, whether anybody writes or not (needs the right to mount)', async ({
  skip,
}) => {
  const { databaseUrl } = await freshLocation('postgres');
  const disk = await tablesOnSmallDisk(databaseUrl!, 32);
  if (disk === undefined) return skip('small disks cannot be made here');
  const server = await serveDragoman([], { env: { DRAGOMAN_DATABASE_URL: databaseUrl! } });
  onTestFinished(() => server.stop().then(() => {}));
  const health = async () => {
    const answer = await fetch(`${server.url}/health`);
    return [answer.status, ((await answer.json()) as { status: string }).status];
  };
  const content = randomBytes(300_000).toString('base64');
  const blobName = createHash('sha256').update('a.txt').update(content).digest('hex');
  const upload = async () => {
    const answer = await fetch(`${server.url}/batch-upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ blobs: [{ path: 'a.txt', content, blob_name: blobName }] }),
    });
    return [answer.status, ((await answer.json()) as { error?: { message: string } }).error?.message];
  };
  expect(await health()).toEqual([200, 'ok']);

  const makeRoom = fillDisk(disk, 0);
  expect(await upload()).toEqual([507, 'The disk of the database is full. Free up some space there, then try again.']);
  expect(await health()).toEqual([503, 'the disk is full']);

  makeRoom();
  await expect.poll(health, { timeout: 10_000 }).toEqual([200, 'ok']);
  expect((await upload())[0]).toBe(200);
});

test('a command that finds no room says so in a sentence (needs the right to mount)', async ({ skip }) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 4)) skip('small disks cannot be made here');
  const home = join(disk, 'home');
  const setSecret = () => runDragoman(['secret', 'set', 'KEY'], { home, input: 'a'.repeat(100_000) });
  expect((await setSecret()).exitCode).toBe(0);
  fillDisk(disk, 0);

  expect(await setSecret()).toEqual({ exitCode: 1, stdout: '', stderr: `dragoman: ${FULL}\n` });
});
