import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubClient } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import { type HubProcess, type RunnerProcess, startHub, startRunner } from '../hub/bench-process.ts';
import { benchClient } from '../hub/bench-session.ts';
import type { SharedDatabase } from './shared-database.ts';
import { type Upstream, startUpstream } from './upstream-process.ts';

/** The same at every server, as a client's own token is. */
const TOKEN = 'drg_the-same-token-at-every-server';
/** So many tokens are in use: every one is looked up in the database, and may have 256 streams open. */
const TOKENS = 40;
/** The limits count as they do for everybody, and nobody reaches them. */
const LIMITS = { requests: 10_000_000, concurrency: 100_000 };

/** Servers on one database, a runner at each of them, and the model that all of them ask. */
export interface SharedServers {
  /** Each with a token out of the database, as people have them. */
  servers: readonly HubProcess[];
  clients: readonly HubClient[];
  runners: readonly RunnerProcess[];
  /** Others whose work is counted apart. */
  beside?: readonly HubProcess[];
  database: SharedDatabase;
  databaseUrl: string;
  folder: string;
  /** More such tokens, which are good at every server. */
  tokens: readonly string[];
  /** One server more, beside those. */
  serve(name: string): Promise<HubProcess>;
}

/** So many servers on an empty database for as long as the work takes. */
export async function withServers<Result>(
  database: SharedDatabase,
  { count, hasRunners = true }: { count: number; hasRunners?: boolean },
  work: (shared: SharedServers) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  const processes: { stop(): Promise<void> }[] = [];
  const keep = <Process extends { stop(): Promise<void> }>(process: Process): Process => {
    processes.unshift(process); // What came last goes first.
    return process;
  };
  try {
    const databaseUrl = await database.makeEmpty();
    const upstream = keep(await startUpstream());
    const serve = async (name: string) => {
      writeConfiguration(join(folder, name), name, upstream);
      const env = { DRAGOMAN_DATABASE_URL: databaseUrl, DRAGOMAN_TOKEN: TOKEN };
      return keep(await startHub({ folder, data: name, env }));
    };
    const tokens: string[] = [];
    const [servers, runners]: [HubProcess[], RunnerProcess[]] = [[], []];
    for (let index = 1; index <= count; index++) {
      const started = await serve(`server-${index}`);
      if (index === 1) tokens.push(...(await makeTokens(started)));
      const server = { ...started, token: tokens[index]! };
      servers.push(server);
      if (!hasRunners) continue;
      const place = { folder: join(folder, `machine-${index}`) };
      mkdirSync(place.folder);
      runners.push(keep(await startRunner(place, server)));
    }
    const clients = servers.map(benchClient);
    return await work({ servers, clients, runners, database, databaseUrl, folder, tokens, serve });
  } finally {
    for (const process of processes) await process.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeTokens(server: HubProcess): Promise<string[]> {
  const client = createConsoleClient(server);
  const texts: string[] = [];
  for (let index = 0; index < TOKENS; index++) texts.push((await client.createToken({ name: `token ${index}` })).text);
  return texts;
}

function writeConfiguration(home: string, name: string, { url }: Upstream): void {
  mkdirSync(home);
  const providers = { model: { type: 'openai-chat', baseUrl: `${url}/v1`, apiKey: 'k' } };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ providers, limits: LIMITS, runner: { name } }));
}
