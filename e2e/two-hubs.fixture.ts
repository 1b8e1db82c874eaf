import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  createHubClient,
  foldHubEvents,
  type HubClient,
  type LoggedHubEvent,
  type SessionView,
  type StreamState,
} from '@dragoman/protocol';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import {
  cutPostgres,
  type FinishedRun,
  freshLocation,
  runDragoman,
  serveDragoman,
  startDragoman,
  tempFolder,
} from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { COUNTING_AGENT } from './counting-agent.fixture.ts';

/** Known to every process, as each makes its own otherwise. */
const TOKEN = 'drg_the-same-token-at-every-process-of-the-hub';

/** One process of the hub. */
export interface HubProcess {
  url: string;
  token: string;
  console: ConsoleClient;
  client: HubClient;
  kill(): Promise<unknown>;
}

/** A runner in a process of its own. */
export interface RunnerProcess {
  kill(): Promise<unknown>;
}

/** A PostgreSQL and any number of processes of one hub on it. */
export class SharedHub {
  readonly folder: string = tempFolder();
  readonly token: string = TOKEN;
  readonly #databaseUrl: string;
  readonly #settings: object;

  static async open(): Promise<SharedHub> {
    const { databaseUrl } = await freshLocation('postgres');
    return new SharedHub(databaseUrl!);
  }

  /** On a database that the caller has, with more settings in the file of every process. */
  constructor(databaseUrl: string, settings: object = {}) {
    this.#databaseUrl = databaseUrl;
    this.#settings = settings;
    writeFileSync(join(this.folder, 'agent.mjs'), COUNTING_AGENT);
  }

  /** A server with a data folder of its own, and a runner in it that has that name. One that was killed is started again where it was. */
  async serve(name: string): Promise<HubProcess> {
    const server = await serveDragoman(['--token', TOKEN], {
      home: this.#home(name),
      env: { DRAGOMAN_DATABASE_URL: this.#databaseUrl },
    });
    return {
      url: server.url,
      token: TOKEN,
      client: clientOf(server.url),
      console: createConsoleClient({ url: server.url, token: TOKEN }),
      kill: () => server.stop('SIGKILL'),
    };
  }

  /** A runner in a process of its own, with its own data folder and no way to the database. */
  startRunner(name: string, hubUrl: string): RunnerProcess {
    const runner = startDragoman(['runner', '--hub', hubUrl, '--token', TOKEN], { home: this.#home(name) });
    return {
      kill() {
        runner.process.kill('SIGKILL');
        return runner.finished;
      },
    };
  }

  /** Runs a command to its end in the data folder of a server. */
  run(name: string, args: readonly string[]): Promise<FinishedRun> {
    return runDragoman(args, { home: this.#home(name), env: { DRAGOMAN_DATABASE_URL: this.#databaseUrl } });
  }

  /** A folder for a session to work in. */
  newFolder(name: string): string {
    const folder = join(this.folder, 'work', name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Ends connections to the database at its own end: those that listen, or every one. Says how many there were. */
  cutConnections(which: 'listening' | 'all'): Promise<number> {
    return cutPostgres(this.#databaseUrl, which === 'all' ? ['dragoman', 'dragoman channels'] : ['dragoman channels']);
  }

  #home(name: string): string {
    const home = join(this.folder, name);
    mkdirSync(home, { recursive: true });
    const agents = { counter: { backend: 'uap', command: [process.execPath, join(this.folder, 'agent.mjs')] } };
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ ...this.#settings, agents, runner: { name } }));
    return home;
  }
}

/** One address for a hub of several processes, as a load balancer gives it. */
export interface Balancer {
  url: string;
  /** Connections go to this process from now on; those that are open are cut. */
  moveTo(hub: HubProcess): void;
}

/** Opens an address that leads to a process of the hub. */
export async function openBalancer(hub: HubProcess): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  let target = hub;
  const server = createServer((from) => {
    const to = connect(Number(new URL(target.url).port), '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo(other) {
      target = other;
      cut();
    },
  };
}

/** A reader of a session: every event it was told, and what they add up to. */
export interface Reader {
  events: LoggedHubEvent[];
  readonly view: SessionView | undefined;
}

/** Follows a session through one process until the test is over. */
export function follow(
  client: HubClient,
  sessionId: string,
  { onState, onEvents }: { onState?: (state: StreamState) => void; onEvents?: (events: LoggedHubEvent[]) => void } = {},
): Reader {
  const leaving = new AbortController();
  const reader = {
    events: [] as LoggedHubEvent[],
    view: undefined as SessionView | undefined,
  };
  const followed = client.followSession(sessionId, {
    signal: leaving.signal,
    onState,
    onEvents(events) {
      reader.events.push(...events);
      reader.view = foldHubEvents(events, reader.view!);
      onEvents?.(events);
    },
  });
  onTestFinished(async () => {
    leaving.abort();
    await followed;
  });
  return reader;
}

/** What the agent has counted so far, as a view shows it. */
export function counted(view: SessionView | undefined): string[] {
  const blocks = view?.messages.filter(({ role }) => role === 'assistant').flatMap((message) => message.blocks) ?? [];
  return blocks.map(({ block }) => (block.type === 'text' ? block.text : block.type));
}

/** The numbers from 1 on. */
export function upTo(last: number): string[] {
  return Array.from({ length: last }, (_, index) => String(index + 1));
}

/** Everything in the log of a session, from its beginning or from an event on. Pages may be shorter than is asked for. */
export async function wholeLog(client: HubClient, sessionId: string, after = 0): Promise<LoggedHubEvent[]> {
  const log: LoggedHubEvent[] = [];
  for (;;) {
    const { events } = await client.readLog({ sessionId, after: log.at(-1)?.seq ?? after, limit: 5000 });
    if (events.length === 0) return log;
    log.push(...events);
  }
}

/** What the log of a session adds up to. */
export async function wholeView(client: HubClient, sessionId: string): Promise<SessionView | undefined> {
  return foldHubEvents(await wholeLog(client, sessionId));
}

/** What the agent of a folder was answered, in the order it came. */
export function answersIn(folder: string): string[] {
  return linesOf(join(folder, 'answers.txt'));
}

/** The prompts that the agents of a folder were given, in the order they came. */
export function promptsIn(folder: string): string[] {
  return linesOf(join(folder, 'prompts.txt'));
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function clientOf(url: string): HubClient {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  return createHubClient({ url, token: TOKEN, signal: leaving.signal, times: { firstRetryMs: 50, maxRetryMs: 500 } });
}
