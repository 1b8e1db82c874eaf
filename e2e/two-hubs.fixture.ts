import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  createHubClient,
  foldHubEvents,
  type HubClient,
  type LoggedHubEvent,
  type SessionView,
} from '@dragoman/protocol';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import { cutPostgres, freshLocation, serveDragoman, startDragoman, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';

/** Known to every process, as each makes its own otherwise. */
const TOKEN = 'drg_the-same-token-at-every-process-of-the-hub';

/** What a prompt asks the counting agent for, as JSON. */
export interface CountingPrompt {
  blocks: number;
  everyMs?: number;
  /** It asks for an approval before each of these. */
  askBefore?: number[];
}

/**
 * An agent that counts, in one block for each number, and notes in its folder what it is answered. The blocks come in pieces.
 */
const COUNTING_AGENT = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const answers = new Map();
let count = 0;
const handlers = {
  start: () => say({ type: 'ready', capabilities: { approvals: true } }),
  async prompt({ id, content }) {
    const { blocks, everyMs = 0, askBefore = [] } = JSON.parse(content[0].text);
    for (let block = 1; block <= blocks; block++) {
      if (askBefore.includes(block)) {
        const approvalId = id + '-' + block;
        const options = [{ id: 'a', name: 'A', kind: 'allow_once' }, { id: 'b', name: 'B', kind: 'allow_once' }];
        const answered = new Promise((resolve) => answers.set(approvalId, resolve));
        say({ type: 'approval-asked', approval: { id: approvalId, title: 'Go on?', options } });
        await answered;
      }
      count += 1;
      const place = { messageId: 'm', role: 'assistant', blockId: 'b' + count };
      say({ type: 'block-start', ...place, block: { type: 'text', text: '' } });
      say({ type: 'block-delta', blockId: place.blockId, delta: String(count) });
      say({ type: 'block-stop', ...place, block: { type: 'text', text: String(count) } });
      if (everyMs > 0) await delay(everyMs);
    }
    say({ type: 'turn-finished' });
  },
  answer({ approvalId, reply }) {
    appendFileSync('answers.txt', approvalId + ' ' + reply.optionId + '\\n');
    answers.get(approvalId)?.();
  },
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line);
    void handlers[message.type]?.(message);
  })
  .on('close', () => process.exit(0));
`;

/** One process of the hub. */
export interface HubProcess {
  url: string;
  token: string;
  console: ConsoleClient;
  client: HubClient;
  kill(): Promise<unknown>;
}

/** A PostgreSQL and any number of processes of one hub on it. */
export class SharedHub {
  readonly folder: string = tempFolder();
  readonly #databaseUrl: string;

  static async open(): Promise<SharedHub> {
    const { databaseUrl } = await freshLocation('postgres');
    return new SharedHub(databaseUrl!);
  }

  private constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
    writeFileSync(join(this.folder, 'agent.mjs'), COUNTING_AGENT);
  }

  /** A server with a data folder of its own, and a runner in it that has that name. */
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
  startRunner(name: string, hubUrl: string): void {
    startDragoman(['runner', '--hub', hubUrl, '--token', TOKEN], { home: this.#home(name) });
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
    mkdirSync(home);
    const agents = { counter: { backend: 'uap', command: [process.execPath, join(this.folder, 'agent.mjs')] } };
    writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ agents, runner: { name } }));
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
export function follow(client: HubClient, sessionId: string): Reader {
  const leaving = new AbortController();
  const reader = {
    events: [] as LoggedHubEvent[],
    view: undefined as SessionView | undefined,
  };
  const followed = client.followSession(sessionId, {
    signal: leaving.signal,
    onEvents(events) {
      reader.events.push(...events);
      reader.view = foldHubEvents(events, reader.view!);
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

/** Everything in the log of a session, from its beginning. */
export async function wholeView(client: HubClient, sessionId: string): Promise<SessionView | undefined> {
  let view: SessionView | undefined;
  for (;;) {
    const { events } = await client.readLog({ sessionId, after: view?.seq ?? 0 });
    if (events.length === 0) return view;
    view = foldHubEvents(events, view!);
  }
}

/** What the agent of a folder was answered, in the order it came. */
export function answersIn(folder: string): string[] {
  const file = join(folder, 'answers.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function clientOf(url: string): HubClient {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  return createHubClient({ url, token: TOKEN, signal: leaving.signal, times: { firstRetryMs: 50, maxRetryMs: 500 } });
}
