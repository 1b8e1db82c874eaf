import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedPort, tempFolder } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dataFolder } from '../config/data-folder.ts';
import { claimServerLock, type ClaimOptions, type Patience } from './claim-server-lock.ts';
import { findHolder, findProven, findRunning } from './find-running.ts';
import { PATIENT, startHolder } from './lock-holder.fixture.ts';
import { lockText } from './lock-note.ts';
import { lockProof, lockToken } from './lock-proof.ts';
import { identifyProcess } from './process-identity.ts';

const NOTE = { startedAt: 1_000, version: '1.2.3' };
const SECRET = 'secret-of-a-lock-that-was-left-behind';
/** A lock of this process. */
const MINE = { ...identifyProcess(process.pid), ...NOTE, secret: expect.stringMatching(/^[\w-]{43}$/) };
const folderOf = (home: string) => dataFolder({ DRAGOMAN_HOME: home });
const read = (home: string): unknown => JSON.parse(readFileSync(folderOf(home).lockFile, 'utf8'));

/** Claims for this process; lets go when the test is over. */
async function claim(home: string, options: Partial<ClaimOptions> = {}) {
  const signal = AbortSignal.timeout(60_000);
  const lock = await claimServerLock({ folder: folderOf(home), note: NOTE, signal, patience: PATIENT, ...options });
  onTestFinished(() => lock.release());
  return lock;
}

describe('the lock of a data folder', () => {
  test('says who has it, for the owner alone: first the process, then the address, then that it stops', async () => {
    const home = tempFolder();
    const lock = await claim(home);
    expect(statSync(folderOf(home).lockFile).mode & 0o777).toBe(0o600);
    expect(read(home)).toEqual(MINE);
    expect(findRunning(folderOf(home))).toBeUndefined();

    lock.announce('http://127.0.0.1:4747');
    expect(read(home)).toEqual({ ...MINE, url: 'http://127.0.0.1:4747' });
    expect(findRunning(folderOf(home))).toEqual({ pid: process.pid, url: 'http://127.0.0.1:4747' });

    lock.leave();
    expect(read(home)).toMatchObject({ isStopping: true });
    expect(findRunning(folderOf(home))).toBeUndefined();

    lock.release();
    expect(existsSync(folderOf(home).lockFile)).toBe(false);
  });

  test('is put back when somebody removes it under a running server', async () => {
    const home = tempFolder();
    await claim(home, { lookMs: 5 });

    rmSync(folderOf(home).lockFile);

    await expect.poll(() => existsSync(folderOf(home).lockFile)).toBe(true);
    expect(read(home)).toEqual(MINE);
  });

  test('that cannot be read is a data folder that cannot be used', async () => {
    const home = tempFolder();
    mkdirSync(folderOf(home).lockFile);

    await expect(claim(home)).rejects.toMatchObject({
      code: 'data-folder',
      message: `The lock ${home}/server.lock cannot be used: it is not a plain file. Make sure that the data folder is writable and the lock file is yours, or set DRAGOMAN_HOME to another folder.`,
    });
  });

  test('that is a link is not followed, wherever it leads', async () => {
    const home = tempFolder();
    const elsewhere = `${tempFolder()}/theirs`;
    symlinkSync(elsewhere, folderOf(home).lockFile);
    const refusal = { code: 'data-folder', message: expect.stringContaining('it is not a plain file') };

    await expect(claim(home)).rejects.toMatchObject(refusal);
    expect(existsSync(elsewhere)).toBe(false);
    writeFileSync(elsewhere, 'theirs');
    await expect(claim(home)).rejects.toMatchObject(refusal);
    expect(readFileSync(elsewhere, 'utf8')).toBe('theirs');
  });

  test.runIf(process.getuid?.() === 0)('that belongs to another user is not believed (only as root)', async () => {
    const home = tempFolder();
    writeFileSync(folderOf(home).lockFile, '');
    chownSync(folderOf(home).lockFile, 12_345, 12_345);

    await expect(claim(home)).rejects.toMatchObject({
      message: expect.stringContaining('it belongs to another user'),
    });
  });
});

describe('who comes second', () => {
  test('is told where the first one is', async () => {
    const home = tempFolder();
    const first = startHolder(home);
    const { url } = (await first.says())!;

    await expect(claim(home)).rejects.toMatchObject({
      name: 'ServerRunsError',
      code: 'data-folder',
      server: { url, pid: first.process.pid },
      message: `Dragoman is already running on the data folder ${home}, at ${url} (process ${first.process.pid}). Use it, stop it, or set DRAGOMAN_HOME to another folder.`,
    });
  });

  test('waits for one that starts, and takes its place when that one is killed', async () => {
    const home = tempFolder();
    const first = startHolder(home, 'starting');
    await first.says();
    const waits: unknown[] = [];

    await claim(home, {
      onWait: (holder, state) => {
        waits.push([holder.pid, state]);
        void first.end('SIGKILL');
      },
    });

    expect(waits).toEqual([[first.process.pid, 'starting']]);
    expect(read(home)).toMatchObject({ pid: process.pid });
  });

  test('waits for one that stops to let go', async () => {
    const home = tempFolder();
    const first = startHolder(home, 'stopping');
    await first.says();
    const waits: unknown[] = [];

    await claim(home, {
      onWait: (_, state) => {
        waits.push(state);
        void first.end('SIGTERM');
      },
    });

    expect(waits).toEqual(['stopping']);
    expect(read(home)).toMatchObject({ pid: process.pid });
  });

  test('stops waiting when it is told to', async () => {
    const home = tempFolder();
    await startHolder(home, 'starting').says();
    const asked = new AbortController();

    await expect(claim(home, { signal: asked.signal, onWait: () => asked.abort() })).rejects.toThrow('aborted');

    expect(read(home)).not.toMatchObject({ pid: process.pid });
  });
});

describe('a lock that was left behind is taken at once', () => {
  /** The lock as a server that was killed left it. */
  const leave = (home: string, note: { pid: number; url?: string }) =>
    writeFileSync(folderOf(home).lockFile, lockText({ startedAt: 5, version: '1.2.3', secret: SECRET, ...note }));
  const answering = async (answer: string) => {
    const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  test('where its process was killed', async () => {
    const home = tempFolder();
    const first = startHolder(home);
    await first.says();
    await first.end('SIGKILL');
    expect(read(home)).toMatchObject({ pid: first.process.pid });

    await claim(home);

    expect(read(home)).toEqual(MINE);
  });

  test.each([
    ['nobody listens at its address', async () => `http://127.0.0.1:${await closedPort()}`],
    ['another server of ours has its address', () => answering('{"status":"ok","startedAt":6,"proof":"other"}')],
    ['whoever has its address repeats what it said', () => answering('{"status":"ok","startedAt":5}')],
    ['another program has its address', () => answering('<!doctype html>'.repeat(10_000))],
  ])('where its number belongs to another process and %s', async (_, address) => {
    const home = tempFolder();
    leave(home, { pid: process.ppid, url: await address() });

    await claim(home);

    expect(read(home)).toEqual(MINE);
  });

  test('where its number belongs to another process and it began to start long ago', async () => {
    const home = tempFolder();
    leave(home, { pid: process.ppid });
    utimesSync(folderOf(home).lockFile, 1, 1);

    await claim(home, { onWait: () => expect.unreachable() });

    expect(read(home)).toEqual(MINE);
  });

  test('where its number is that of the next server, as in a container', async () => {
    const home = tempFolder();
    leave(home, { pid: process.pid });

    await claim(home);

    expect(read(home)).toEqual(MINE);
  });

  test.each(['', 'null', '{"pid":', '{"pid":-1}', '\0\0\0\0'])('where it says nothing: %j', async (text) => {
    const home = tempFolder();
    writeFileSync(folderOf(home).lockFile, text);

    await claim(home);

    expect(read(home)).toEqual(MINE);
  });
});

describe('a server that does not answer', () => {
  const SOON: Patience = { ...PATIENT, silent: 1 };

  test('loses the lock, notices when it comes back, and leaves it to the new one', async () => {
    const home = tempFolder();
    const first = startHolder(home);
    await first.says();
    first.process.kill('SIGSTOP');

    await claim(home, { patience: SOON });
    first.process.kill('SIGCONT');

    expect(await first.says()).toEqual({ word: 'lost' });
    expect(await first.says()).toBeUndefined();
    expect(read(home)).toEqual(MINE);
  });

  test('and took too long to start may not announce itself, nor remove the lock of the new one', async () => {
    const home = tempFolder();
    const lock = await claim(home);
    const next = lockText({ pid: process.ppid, startedAt: 7, version: '1.2.3', secret: SECRET });
    writeFileSync(folderOf(home).lockFile, next);

    expect(() => lock.announce('http://127.0.0.1:1')).toThrow(
      `Another server took over ${home}/server.lock because this one took too long to start. Use that one, or start again.`,
    );
    lock.leave();
    lock.release();
    expect(readFileSync(folderOf(home).lockFile, 'utf8')).toBe(next);
  });

  test('because its database is away is there all the same', async () => {
    const home = tempFolder();
    const server = createServer((request, response) => {
      const challenge = new URL(request.url!, url).searchParams.get('challenge')!;
      response.writeHead(503).end(JSON.stringify({ proof: lockProof({ secret: SECRET, url }, challenge) }));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const note = { pid: process.ppid, url, startedAt: 5, version: '1.2.3', secret: SECRET };
    writeFileSync(folderOf(home).lockFile, lockText(note));

    await expect(claim(home, { patience: SOON })).rejects.toMatchObject({ server: { url, pid: process.ppid } });
    expect(await findProven(folderOf(home))).toEqual({ url, pid: process.ppid, runnerToken: lockToken(note) });
    writeFileSync(folderOf(home).lockFile, lockText({ ...note, secret: `${SECRET}-of-another` }));
    expect(await findProven(folderOf(home))).toBeUndefined();
  });
});

describe('the server that a command would end', () => {
  test.each(['starting', 'running', 'stopping'] as const)('is found while it is %s', async (script) => {
    const home = tempFolder();
    const holder = startHolder(home, script);
    const { url } = (await holder.says())!;

    const found = await findHolder(folderOf(home));

    expect(found).toEqual({ process: identifyProcess(holder.process.pid!), state: script, url });
  });

  test('is found where it does not respond', async () => {
    const home = tempFolder();
    const holder = startHolder(home);
    const { url } = (await holder.says())!;
    holder.process.kill('SIGSTOP');

    expect(await findHolder(folderOf(home))).toMatchObject({ state: 'silent', url });
  });

  test('is not another program that got the number of one that was killed', async () => {
    const home = tempFolder();
    const leave = (note: object, writtenAt = Date.now()) => {
      const left = { pid: process.ppid, startedAt: 5, version: '1.2.3', secret: SECRET, ...note };
      writeFileSync(folderOf(home).lockFile, lockText(left));
      utimesSync(folderOf(home).lockFile, writtenAt / 1_000, writtenAt / 1_000);
    };
    expect(await findHolder(folderOf(home))).toBeUndefined();
    leave({ url: `http://127.0.0.1:${await closedPort()}` });
    expect(await findHolder(folderOf(home))).toBeUndefined();
    for (const note of [{}, { isStopping: true as const }]) {
      leave(note, Date.now() - 120_000);
      expect(await findHolder(folderOf(home))).toBeUndefined();
      leave(note);
      expect(await findHolder(folderOf(home))).toMatchObject({ process: { pid: process.ppid } });
      if (process.platform !== 'linux') continue;
      leave({ ...note, birth: 'before the power was cut' });
      expect(await findHolder(folderOf(home))).toBeUndefined();
    }
  });
});
