import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { findServer, lockState, personsHome, readLock } from './find-server.ts';

test('a lock counts if the server that wrote it answers, and not if another one does', async () => {
  const url = await serveHealth({ status: 'ok', startedAt: 7 });
  const home = tempFolder();
  const note = { pid: 123, url, startedAt: 7, version: '0.1.0' };
  write(home, note);
  expect(await findServer(home)).toEqual(note);
  write(home, { ...note, startedAt: 8 });
  expect(await findServer(home)).toBeUndefined();
  write(home, { ...note, url: 'http://127.0.0.1:1' });
  expect(await findServer(home)).toBeUndefined();
});

test('a lock tells whether a server has the folder, is about to end, or has left', async () => {
  const home = tempFolder();
  expect(await lockState(home)).toBe('none');
  write(home, { pid: 1, startedAt: 1, version: '' });
  expect([await lockState(home), await readLock(home)]).toEqual(['held', undefined]);
  write(home, { pid: 1, startedAt: 1, url: 'http://127.0.0.1:1', isStopping: true });
  expect([await lockState(home), await readLock(home)]).toEqual(['stopping', undefined]);
});

test('whatever stands in a lock, reading it neither fails nor names anything but an address of HTTP', async () => {
  const home = tempFolder();
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (text) => {
      writeFileSync(join(home, 'server.lock'), text);
      expect((await readLock(home))?.url ?? 'http://').toMatch(/^http:\/\//);
      expect(['held', 'stopping']).toContain(await lockState(home));
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

async function serveHealth(body: object): Promise<string> {
  const server = createServer((_request, response) => response.end(JSON.stringify(body))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
