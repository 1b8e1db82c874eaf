import { fileURLToPath } from 'node:url';
import { claimServerLock, Leases } from '@dragoman/server';
import { onTestFinished } from 'vitest';
import { openSetup } from './load-setup.ts';
import { startServer } from './start-server.ts';
import { VERSION } from './version.ts';

const PROGRAM = [
  process.execPath,
  '--conditions=@dragoman/source',
  fileURLToPath(new URL('../bin/dragoman.js', import.meta.url)),
] as const;

/** A server of this process on the data folder that the environment names. It stops with the test, or before. */
export async function serveHere({ token }: { token?: string } = {}) {
  const setup = openSetup({}, [
    { path: ['server', 'port'], value: 0, source: 'test' },
    { path: ['log', 'level'], value: 'fatal', source: 'test' },
  ]);
  const startedAt = Date.now();
  const lock = await claimServerLock({
    folder: setup.folder,
    note: { startedAt, version: VERSION },
    signal: new AbortController().signal,
    onWait: () => {},
  });
  const server = await startServer(setup, { startedAt, lock, leases: new Leases(), token, program: PROGRAM });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.stop().then(() => lock.release()));
  onTestFinished(stop);
  return { server, stop };
}
