import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createHubClient, readServerEvents, type RunnerMessage } from '@dragoman/protocol';
import { type HubProcess, startHub } from '../hub/bench-process.ts';
import { largeSession } from './large-session.ts';
import type { ToldRoute } from './tell-routes.ts';

const ROLES = ['viewer', 'member', 'admin'] as const;

/** A server with a token for every role, a provider behind it, and somebody who watches its health. */
export interface AttackedServer {
  url: string;
  routes: ToldRoute[];
  /** Without one for nobody. */
  tokens: Readonly<Record<'nobody' | (typeof ROLES)[number], string | undefined>>;
  runnerId: string;
  sessionId: string;
  /** One that was going on for long: there is much of everything to read. */
  largeSessionId: string;
  /** Up to where the server has the records of the runner. */
  acked(): Promise<number>;
  /** The longest wait for `/health` since the last call. */
  longestStall(): Promise<number>;
  /** The longest turn of its main thread since the last call, in CPU time. */
  longestTurn(): number;
  rssMb(): number;
  close(): Promise<void>;
}

export async function openAttackedServer(folder: string): Promise<AttackedServer> {
  const provider = await startProvider();
  const routesFile = join(folder, 'routes.json');
  const busyFile = join(folder, 'busy.txt');
  writeFileSync(busyFile, '');
  Object.assign(process.env, { BENCH_ROUTES: routesFile, BENCH_BUSY: busyFile });
  writeFileSync(
    join(folder, 'server', 'dragoman.json'),
    JSON.stringify({
      providers: { fake: { type: 'openai-chat', baseUrl: urlOf(provider), apiKey: 'x' } },
      routes: { m: ['fake/m'], embedding: ['fake/e'] },
      limits: { requests: 1_000_000, concurrency: 1_000 },
      log: { level: 'silent' },
    }),
  );
  const preload = fileURLToPath(new URL('tell-routes.ts', import.meta.url));
  const server = await startHub({ folder, data: 'server', flags: ['--import', preload] });
  const tokens = { nobody: undefined, ...(await makeTokens(server)) };
  const { runnerId, sessionId, largeSessionId, acked, leave } = await addMachine(server, tokens.member);
  const probe = new Worker(new URL('health-probe.ts', import.meta.url), { workerData: { url: server.url } });
  const toldStall = () =>
    new Promise<number>((resolve) => {
      probe.once('message', resolve);
      probe.postMessage('tell');
    });
  return {
    url: server.url,
    routes: JSON.parse(readFileSync(routesFile, 'utf8')) as ToldRoute[],
    tokens,
    runnerId,
    sessionId,
    largeSessionId,
    acked,
    longestStall: toldStall,
    longestTurn() {
      const turns = readFileSync(busyFile, 'utf8').split('\n').map(Number);
      writeFileSync(busyFile, '');
      return Math.max(0, ...turns);
    },
    rssMb: () => server.rssMb(),
    async close() {
      leave();
      await probe.terminate();
      await server.stop();
      provider.closeAllConnections();
      provider.close();
    },
  };
}

async function makeTokens({ url, token }: HubProcess): Promise<Record<(typeof ROLES)[number], string>> {
  const made: [string, string][] = [];
  for (const role of ROLES) {
    const answer = await fetch(`${url}/api/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `bench ${role}`, role }),
    });
    made.push([role, ((await answer.json()) as { text: string }).text]);
  }
  return Object.fromEntries(made) as Record<(typeof ROLES)[number], string>;
}

/** A machine that is connected and answers, and two sessions on it: what runners say has somewhere to go, and there is much to read. */
async function addMachine({ url }: HubProcess, token: string) {
  const runnerId = 'run_bench';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await answer.json()) as { acked: number };
  };
  const acked = async () =>
    (
      await post('/api/runner/hello', {
        id: runnerId,
        name: 'bench',
        host: 'bench',
        version: '1.0.0',
        isShared: false,
        folders: [],
        agents: [{ name: 'scribe', backend: 'none', capabilities: { approvals: true, fork: true } }],
        outboxId: 'box',
      })
    ).acked;
  await acked();
  const left = new AbortController();
  const commands = await fetch(`${url}/api/runner/${runnerId}/commands`, { headers, signal: left.signal });
  const answer = JSON.stringify({ result: largeAnswer() });
  void readServerEvents(commands.body!, ({ data }) => {
    const message = JSON.parse(data) as RunnerMessage;
    if (message.type !== 'ask') return;
    const address = `${url}/api/runner/${runnerId}/replies/${message.askId}`;
    fetch(address, { method: 'POST', headers, body: answer }).catch(() => {});
  }).catch(() => {});
  const client = createHubClient({ url, token });
  const session = { agent: 'scribe', folder: '/code', runnerId };
  const { id: sessionId } = await client.createSession(session);
  const { id: largeSessionId } = await client.createSession({ ...session, prompt: { text: 'some words' } });
  for (const events of largeSession())
    await post(`/api/runner/${runnerId}/events`, {
      outboxId: 'box',
      first: (await acked()) + 1,
      records: events.map((event) => ({ sessionId: largeSessionId, at: Date.now(), event })),
    });
  return { runnerId, sessionId, largeSessionId, acked, leave: () => left.abort() };
}

/** Whatever the machine is asked, this is an answer to it, with about as many fields as the door takes. */
function largeAnswer() {
  const [path, isRepository, isCut] = ['/code', false, false];
  const folders = Array.from({ length: 1_500 }, (_, at) => ({ name: `${at}`, path: `/code/${at}`, isRepository }));
  const entries = folders.map((folder) => ({ ...folder, kind: 'folder' }));
  const text = 'some words that anybody would say,\n'.repeat(30_000);
  return { path, size: 1, isRepository, isCut, folders, entries, files: folders, text, unified: text };
}

/** Reads everything, and answers in a word. */
async function startProvider(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const message = { role: 'assistant', content: 'yes' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
