import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { identifyProcess } from '@dragoman/server/base';
import {
  freshLocation,
  runDragoman,
  serveDragoman,
  startDragoman,
  startFakeProvider,
  STORE_ENGINES,
  tempFolder,
} from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const SERVE = ['serve', '--port', '0', '--json'];

const lockOf = (home: string): unknown => JSON.parse(readFileSync(join(home, 'server.lock'), 'utf8'));

/** What a server prints when it is ready, or instead of it. */
async function firstLine(started: ReturnType<typeof startDragoman>): Promise<unknown> {
  const [line] = (await once(createInterface({ input: started.process.stdout! }), 'line')) as [string];
  return JSON.parse(line);
}

describe('one server for each data folder', () => {
  test.each(STORE_ENGINES)('a second one says where the first one is, also with --json (%s)', async (engine) => {
    const { databaseUrl } = await freshLocation(engine);
    const env: Record<string, string> = databaseUrl === undefined ? {} : { DRAGOMAN_DATABASE_URL: databaseUrl };
    const first = await serveDragoman([], { env });
    const { home, url } = first;
    expect(lockOf(home)).toEqual({
      ...identifyProcess(first.process.pid!),
      url,
      startedAt: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      secret: expect.stringMatching(/^[\w-]{43}$/),
    });

    const second = await runDragoman(['serve', '--port', '0'], { home, env });
    expect(second).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `dragoman: Dragoman is already running on the data folder ${home}, at ${url} (process ${first.process.pid}). Use it, stop it, or set DRAGOMAN_HOME to another folder.\n`,
    });
    expect(await runDragoman(SERVE, { home, env: { ...env, DRAGOMAN_TOKEN: 'ANOTHER' } })).toEqual({
      exitCode: 0,
      stdout: `${JSON.stringify({ url, isRunning: true })}\n`,
      stderr: '',
    });

    expect((await first.stop()).exitCode).toBe(0);
    expect((await serveDragoman([], { home, env })).url).toMatch(/^http:/);
  });

  test('of ten that start at once on what a killed one left behind, one serves and nine say where', async () => {
    const home = tempFolder();
    const killed = await serveDragoman([], { home });
    await killed.stop('SIGKILL');
    expect(lockOf(home)).toMatchObject({ pid: killed.process.pid, url: killed.url });

    const servers = Array.from({ length: 10 }, () => startDragoman(SERVE, { home, env: { DRAGOMAN_TOKEN: 'SHARED' } }));
    const lines = await Promise.all(servers.map(firstLine));

    const { pid, url } = lockOf(home) as { pid: number; url: string };
    expect(lines).toEqual(
      servers.map(({ process }) => (process.pid === pid ? { url, token: 'SHARED' } : { url, isRunning: true })),
    );
    const losers = servers.filter(({ process }) => process.pid !== pid);
    expect(losers).toHaveLength(9);
    for (const { exitCode } of await Promise.all(losers.map(({ finished }) => finished))) expect(exitCode).toBe(0);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('one that starts while another ends waits for that, and says so', async () => {
    const home = tempFolder();
    const provider = await startFakeProvider();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    provider.answer({ body: [goOn, 'data: [DONE]\n\n'] });
    const config = {
      server: { timeouts: { stopMs: 120_000 } },
      providers: { slow: { type: 'openai-chat', baseUrl: `${provider.url}/v1`, apiKey: 'key', models: ['slow'] } },
    };
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
    const first = await serveDragoman([], { home });
    // An answer that is under way holds up the end.
    const asked = fetch(`${first.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${first.token}` },
      body: JSON.stringify({ model: 'slow/slow', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    await provider.request(1);
    first.process.kill('SIGTERM');
    await expect.poll(() => lockOf(home)).toMatchObject({ isStopping: true });

    const second = startDragoman(SERVE, { home });
    const ready = firstLine(second);
    await second.untilLogged(
      `dragoman: ${home}/server.lock names a server that is stopping (process ${first.process.pid}); waiting for it, 60 seconds at most.\n`,
    );
    resolve();

    await asked.catch(() => {}); // What becomes of it is not asked here.
    expect(await first.finished).toMatchObject({ exitCode: 0 });
    expect(await ready).toEqual({ url: expect.any(String), token: expect.any(String) });
    expect(lockOf(home)).toMatchObject({ pid: second.process.pid });
  });

  test('one that has lost its lock to another ends in good order, says why, and leaves the lock alone', async () => {
    const server = await serveDragoman();
    const other = `${JSON.stringify({ pid: process.pid, startedAt: 1, version: '1.2.3' })}\n`;
    writeFileSync(join(server.home, 'server.lock'), other);

    expect(await server.finished).toMatchObject({
      exitCode: 4,
      stdout: `${JSON.stringify({ url: server.url, token: server.token })}\n`,
      stderr: `dragoman: This server was unresponsive for a while and another one now uses the data folder ${server.home}, so it has stopped.\n`,
    });
    expect(readFileSync(join(server.home, 'server.lock'), 'utf8')).toBe(other);
  });

  test('a start that fails lets go of the folder', async () => {
    const home = tempFolder();
    const failed = await runDragoman(['serve', '--host', '203.0.113.1', '--token', 'LONG-ENOUGH-FOR-OTHERS'], { home });

    expect(failed.stderr).toContain('203.0.113.1 is not an address of this machine');
    expect(() => lockOf(home)).toThrow('ENOENT');
  });

  test('a Node without SQLite is named, with what to do', async () => {
    const child = spawn(
      process.execPath,
      ['--no-experimental-sqlite', '--conditions=@dragoman/source', PROGRAM, ...SERVE],
      { stdio: 'pipe' },
    );
    const [said, [exitCode]] = await Promise.all([child.stderr.toArray(), once(child, 'close')]);

    expect(`${exitCode} ${Buffer.concat(said as Buffer[]).toString()}`).toBe(
      `4 dragoman: Dragoman keeps its data with the SQLite inside Node, and Node ${process.versions.node} at ${process.execPath} was built without it (node:sqlite). Run Dragoman with Node 24 or newer from nodejs.org.\n`,
    );
  });
});
