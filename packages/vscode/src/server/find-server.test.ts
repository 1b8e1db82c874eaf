import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { findServer, lockState, personsHome, readLock } from './find-server.ts';

const SECRET = 'a-secret-that-only-the-lock-and-its-server-know';
/** No process has it: numbers end below. */
const NOBODY = 2 ** 30;

test('a lock counts if its process lives and its server answers with a proof', async () => {
  const url = await serveHealth((challenge, own) => ({ proof: proofOf(SECRET, own, challenge) }));
  const home = tempFolder();
  const found = { pid: process.pid, url, startedAt: 7, version: '0.1.0' };
  const note = { ...found, secret: SECRET };
  write(home, note);
  expect(await findServer(home)).toEqual(found);
  write(home, { ...note, pid: NOBODY });
  expect(await findServer(home)).toBeUndefined();
  write(home, { ...note, secret: `${SECRET}-of-another` });
  expect(await findServer(home)).toBeUndefined();
  write(home, found);
  expect(await findServer(home)).toBeUndefined();
  write(home, { ...note, url: 'http://127.0.0.1:1' });
  expect(await findServer(home)).toBeUndefined();
});

test('who took over the port of a server and repeats what it told everybody is not taken for it', async () => {
  const home = tempFolder();
  const real = await serveHealth((challenge, own) => ({ startedAt: 7, proof: proofOf(SECRET, own, challenge) }));
  const asked: string[] = [];
  const relaying = await serveHealth(async (challenge) => {
    asked.push(challenge);
    return (await fetch(`${real}/health?challenge=${challenge}`)).json();
  });
  const repeating = await serveHealth(() => ({ status: 'ok', startedAt: 7, proof: 'x'.repeat(43) }));
  for (const url of [relaying, repeating]) {
    write(home, { pid: process.pid, url, startedAt: 7, version: '0.1.0', secret: SECRET });
    expect(await findServer(home)).toBeUndefined();
    await findServer(home);
  }
  expect([asked.length, new Set(asked).size]).toEqual([2, 2]);
});

test('a lock that is a link is not followed', async () => {
  const home = tempFolder();
  const url = await serveHealth((challenge, own) => ({ proof: proofOf(SECRET, own, challenge) }));
  write(home, { pid: process.pid, url, startedAt: 7, version: '0.1.0', secret: SECRET });
  expect(await findServer(home)).toBeDefined();
  const elsewhere = join(tempFolder(), 'theirs');
  renameSync(join(home, 'server.lock'), elsewhere);
  symlinkSync(elsewhere, join(home, 'server.lock'));

  expect([await findServer(home), readLock(home), lockState(home)]).toEqual([undefined, undefined, 'held']);
});

test('a lock tells whether a server has the folder, is about to end, or has left', async () => {
  const home = tempFolder();
  const note = { pid: 1, startedAt: 1, version: '', secret: SECRET };
  expect(lockState(home)).toBe('none');
  write(home, note);
  expect([lockState(home), readLock(home)]).toEqual(['held', undefined]);
  write(home, { ...note, url: 'http://127.0.0.1:1', isStopping: true });
  expect([lockState(home), readLock(home)]).toEqual(['stopping', undefined]);
});

test('whatever stands in a lock, reading it neither fails nor names anything but an address of HTTP', () => {
  const home = tempFolder();
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      writeFileSync(join(home, 'server.lock'), text);
      expect(readLock(home)?.url ?? 'http://').toMatch(/^http:\/\//);
      expect(['held', 'stopping']).toContain(lockState(home));
    }),
    { seed: 10, numRuns: 100 },
  );
});

test('a person’s own data folder is where the command line has it', () => {
  expect(personsHome({ DRAGOMAN_HOME: '/data' }, 'linux')).toBe('/data');
  expect(personsHome({ XDG_DATA_HOME: '/xdg' }, 'linux')).toBe(join('/xdg', 'dragoman'));
  expect(personsHome({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'dragoman'));
  expect(personsHome({}, 'darwin')).toMatch(/Library.Application Support.dragoman$/);
});

function write(home: string, note: object): void {
  writeFileSync(join(home, 'server.lock'), JSON.stringify(note));
}

/** The proof as it is defined, made here by hand. */
function proofOf(secret: string, url: string, challenge: string): string {
  return createHmac('sha256', secret).update(`${url}\n${challenge}`).digest('base64url');
}

async function serveHealth(answer: (challenge: string, url: string) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    const challenge = new URL(request.url!, url).searchParams.get('challenge')!;
    void Promise.resolve(answer(challenge, url)).then((body) => response.end(JSON.stringify(body)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());
  return url;
}
