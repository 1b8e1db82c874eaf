import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DragomanError } from '@dragoman/protocol';
import {
  checkSqlite,
  claimServerLock,
  type ConfigOverride,
  Leases,
  newTokenText,
  type ServerLock,
  ServerRunsError,
} from '@dragoman/server';
import { explainFullDisk } from '../explain-full-disk.ts';
import { type CommonOptions, openSetupToServe, type Setup } from '../load-setup.ts';
import { howToRun } from '../how-to-run.ts';
import { settleMemory } from '../settle-memory.ts';
import { startServer } from '../start-server.ts';
import { print, printError, printJson } from '../terminal/print.ts';
import { type Interruption, untilInterrupted } from '../until-interrupted.ts';
import { VERSION } from '../version.ts';

/** What `dragoman serve` takes. */
export interface ServeOptions extends CommonOptions {
  host?: string;
  port?: string;
  token?: string;
  json?: boolean;
  /** Seconds, or true for the usual ones. */
  exitWhenIdle?: string | true;
}

/** How long a server that ends by itself waits for somebody to need it. */
const IDLE_SECONDS = 60;
const MAX_IDLE_SECONDS = 86_400;

const STARTER = `{
  // Dragoman's configuration. Your editor completes and checks it; the server reads it again when you save it.
  "$schema": "./dragoman.schema.json",
}
`;

/**
 * Starts the server and stays until it is told to stop, or until nobody needs it. A data folder has one server: who asks for
 * a second one with `--json` is told where the first one is, which is what they wanted.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const sayOnce = jsonLine(options);
  try {
    await claimAndServe(options, sayOnce);
  } catch (error) {
    // Whoever reads JSON may have sent the log to the very disk that is full.
    sayOnce({ error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

/** The one line that `--json` promises. Whoever has read it may be gone, so that nothing may come after it. */
function jsonLine({ json = false }: ServeOptions): (said: object) => void {
  let isSaid = !json;
  return (said) => {
    if (!isSaid) printJson(said);
    isSaid = true;
  };
}

async function claimAndServe(options: ServeOptions, sayOnce: (said: object) => void): Promise<void> {
  const interrupted = untilInterrupted();
  const idleMs = readIdle(options.exitWhenIdle);
  const setup = await openSetupToServe(options, toOverrides(options));
  if (setup.location.databaseUrl === undefined) checkSqlite();
  // Whoever started it may leave, and with them the reader of the log.
  process.stderr.on('error', () => {});
  const startedAt = Date.now();
  let lock: ServerLock;
  try {
    lock = await claim(setup, startedAt, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) return;
    if (!(error instanceof ServerRunsError) || options.json !== true) throw explainFullDisk(error, setup.folder);
    sayOnce({ url: error.server.url, isRunning: true });
    return;
  }
  try {
    await serveUntilEnd(setup, options, { startedAt, lock, idleMs, interrupted, sayOnce });
  } catch (error) {
    throw explainFullDisk(error, setup.folder);
  } finally {
    lock.release();
  }
}

interface Stay {
  startedAt: number;
  lock: ServerLock;
  idleMs: number | undefined;
  interrupted: Interruption;
  sayOnce: (said: object) => void;
}

async function serveUntilEnd(setup: Setup, options: ServeOptions, stay: Stay): Promise<void> {
  const { startedAt, lock, idleMs, interrupted, sayOnce } = stay;
  putStarter(setup);
  const given = options.token ?? (process.env['DRAGOMAN_TOKEN'] || undefined);
  const token = given ?? (options.json === true ? newTokenText().text : undefined);
  const leases = new Leases();

  const program = [process.execPath, ...process.execArgv, process.argv[1]!] as const;
  const server = await startServer(setup, { startedAt, lock, leases, token, program });
  if (options.json === true) sayOnce({ url: server.url, token });
  else print(welcome(server.url, await server.createLoginLink(), setup));

  settleMemory();
  const endings: Promise<unknown>[] = [interrupted.promise, lock.lost];
  if (idleMs !== undefined) endings.push(leases.untilIdle(idleMs));
  const ending = await Promise.race(endings);
  // Ctrl-C is for everything. Whoever restarts a server, or leaves it alone, wants the agents to go on; a container ends with it.
  await server.stop({ leavesWorking: ending !== 'SIGINT' && process.pid !== 1 });
  if (lock.isLost)
    throw new DragomanError(
      'data-folder',
      `This server was unresponsive for a while and another one now uses the data folder ${setup.folder.path}, so it has stopped.`,
    );
}

function claim({ folder }: Setup, startedAt: number, signal: AbortSignal): Promise<ServerLock> {
  return claimServerLock({
    folder,
    note: { startedAt, version: VERSION },
    signal,
    onWait: ({ pid }, state, patienceMs) =>
      printError(
        `dragoman: ${folder.lockFile} names a server that is ${state} (process ${pid}); waiting for it, ${patienceMs / 1000} seconds at most.`,
      ),
  });
}

function readIdle(given: string | true | undefined): number | undefined {
  if (given === undefined) return undefined;
  const seconds = given === true ? IDLE_SECONDS : /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (seconds >= 1 && seconds <= MAX_IDLE_SECONDS) return seconds * 1000;
  throw new DragomanError(
    'bad-request',
    `--exit-when-idle: expected seconds from 1 to ${MAX_IDLE_SECONDS}, found ${JSON.stringify(given)}`,
  );
}

function toOverrides({ host, port }: ServeOptions): ConfigOverride[] {
  return [
    ...(host === undefined ? [] : [{ path: ['server', 'host'], value: host, source: '--host' }]),
    ...(port === undefined
      ? []
      : [{ path: ['server', 'port'], value: /^-?\d+$/.test(port) ? Number(port) : port, source: '--port' }]),
  ];
}

/** The schema beside the configuration is what lets an editor help; a first configuration is there to be edited. */
function putStarter({ folder, source }: Setup): void {
  const published = fileURLToPath(new URL('../../dragoman.schema.json', import.meta.url));
  const schema = readFileSync(published);
  const isCurrent = existsSync(folder.schemaFile) && readFileSync(folder.schemaFile).equals(schema);
  if (!isCurrent) writeFileSync(folder.schemaFile, schema, { mode: 0o600 });
  if (source.file === folder.configFile && !existsSync(folder.configFile))
    writeFileSync(folder.configFile, STARTER, { flag: 'wx', mode: 0o600 });
}

function welcome(url: string, link: string, setup: Setup): string {
  return [
    '',
    `  Dragoman ${VERSION} is ready.`,
    '',
    `  Address    ${url}`,
    `  Log in     ${link}`,
    '             (one-time link, expires in 1 hour)',
    `  Settings   ${setup.source.file}`,
    `  New token  ${howToRun('token create laptop')}`,
    '',
    '  Press Ctrl-C to stop.',
    '',
  ].join('\n');
}
