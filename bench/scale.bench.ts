import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { countNotices, openTeller } from '../testkit/src/store-location.ts';
import type { HubProcess } from './hub/bench-process.ts';
import { percentile } from './hub/measure-first-token.ts';
import { type FoundCosts, mergeCosts, readCosts, writeCosts } from './scale/costs.ts';
import type { Cpu } from './scale/cpu-meter.ts';
import { markdownOf, type Table, writeTables } from './scale/markdown-table.ts';
import { measureCalls } from './scale/measure-calls.ts';
import { type Growth, measureGrowth } from './scale/measure-growth.ts';
import { measureIndex } from './scale/measure-index.ts';
import { measureBurst, measurePaced, measurePrompts } from './scale/measure-sessions.ts';
import { SharedDatabase } from './scale/shared-database.ts';
import { type SharedServers, withServers } from './scale/shared-servers.ts';
import { tellSimulation } from './scale/tell-simulation.ts';
import { OFFICE } from './scale/usage.ts';

/** Where the servers of one database tell each other what was stored. */
const HUB_CHANNEL = 'dragoman_hub';
const DOCUMENT = fileURLToPath(new URL('../docs/scale.md', import.meta.url));

/** To see what a server does while nothing happens. */
const IDLE_MS = 10_000;
/** Pieces of a message that comes at once. */
const SHORT_PIECES = 3;

const FULL = {
  servers: [1, 2, 3],
  calls: { calls: 2_000, pieces: 100, atOnce: 24, perSecond: 50 },
  paced: { sessions: 40, messages: 40, everyMs: 500 },
  streamed: { sessions: 40, messages: 10, everyMs: 2_000, pieces: { count: 23, everyMs: 60 } },
  burst: { sessions: 10, blocks: 1_000 },
  prompts: { sessions: 20, prompts: 10 },
  readers: 9,
  notices: { count: 1_000, everyMs: 20, sessions: 5 },
  growth: { sessions: [10, 100, 1_000], seconds: 30 },
  index: { files: 3_000, bytes: 30_000_000, questions: 100 },
};
const QUICK: typeof FULL = {
  servers: [1, 2],
  calls: { calls: 100, pieces: 20, atOnce: 8, perSecond: 20 },
  paced: { sessions: 4, messages: 10, everyMs: 200 },
  streamed: { sessions: 4, messages: 2, everyMs: 1_000, pieces: { count: 13, everyMs: 60 } },
  burst: { sessions: 2, blocks: 100 },
  prompts: { sessions: 2, prompts: 3 },
  readers: 3,
  notices: { count: 50, everyMs: 20, sessions: 5 },
  growth: { sessions: [5, 20], seconds: 3 },
  index: { files: 200, bytes: 2_000_000, questions: 10 },
};

/** What a part found: tables for people, costs for the simulation. */
interface Found {
  tables: Table[];
  costs?: FoundCosts;
}

const PARTS = { calls, sessions, costs: singleCosts, growth, index } as const;
type Part = (database: SharedDatabase, counts: typeof FULL) => Promise<Found>;

/**
 * One, two and three servers on one PostgreSQL; memory and CPU of more and more sessions; and the simulation of 10,000 users
 * on what was measured. `--quick` for small counts, `--only NAME` for one part, `--write` puts what was found into
 * `docs/scale.md` and `bench/scale/costs.json`.
 */
export async function run(options: readonly string[] = []): Promise<void> {
  const counts = options.includes('--quick') ? QUICK : FULL;
  const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : undefined;
  const names = [...Object.keys(PARTS), 'simulate'];
  if (only !== undefined && !names.includes(only))
    throw new Error(`There is no part ${only}; there are: ${names.join(', ')}`);
  if (options.includes('--quick') && options.includes('--write'))
    throw new Error('A quick run measures nothing to keep.');
  const tables: Table[] = [];
  let costs = readCosts();
  const tell = (found: Table[]) => {
    for (const table of found) console.log(`\n## ${table.name}\n\n${markdownOf(table)}`);
    tables.push(...found);
  };
  let all: FoundCosts = {};
  if (only !== 'simulate') {
    const database = await SharedDatabase.start();
    try {
      for (const [name, part] of Object.entries(PARTS)) {
        if (only !== undefined && only !== name) continue;
        const startedAt = performance.now();
        const found = await part(database, counts);
        tell(found.tables);
        if (found.costs !== undefined) console.log(`\n${name}: ${JSON.stringify(found.costs, roundedTo3)}`);
        console.log(`\n${name} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
        all = addCosts(all, found.costs ?? {});
      }
    } finally {
      await database.stop();
    }
    costs = mergeCosts(costs, all);
  }
  if (only === undefined) tell([machineTable()]);
  if (only === undefined || only === 'simulate') tell([costsTable(costs), ...tellSimulation(costs, OFFICE)]);
  if (options.includes('--write')) {
    writeCosts(costs);
    writeTables(DOCUMENT, tables);
  }
  console.log(`\nload of the machine in the last minute: ${loadavg()[0]!.toFixed(1)}`);
}

/** Model calls, spread over the servers. */
async function calls(...[database, counts]: Parameters<Part>): Promise<Found> {
  const { calls: total, pieces, atOnce, perSecond } = counts.calls;
  const measured = await forServers(database, counts.servers, async (shared) => {
    // What is fast later is compiled here, in each server.
    const warm = Math.min(total, 300) * shared.servers.length;
    await measureCalls(shared, { calls: warm, pieces, pace: { atOnce } });
    const full = await measureCalls(shared, { calls: total, pieces, pace: { atOnce } });
    return { full, paced: await measureCalls(shared, { calls: Math.ceil(total / 3), pieces, pace: { perSecond } }) };
  });
  const table: Table = {
    name: 'servers-calls',
    head: [
      'servers',
      'calls/s',
      'ratio',
      `first token p95 at ${perSecond}/s`,
      'p50',
      ...cpuHead('call'),
      'calls/s with a core for each server',
    ],
    rows: measured.map(({ count, full, paced }) => [
      String(count),
      full.perSecond.toFixed(0),
      ratio(full.perSecond, measured[0]!.full.perSecond),
      ms(percentile(paced.firstToken, 0.95)),
      ms(percentile(paced.firstToken, 0.5)),
      ...cpuCells(full.cpu, measured[0]!.full.cpu),
      withCores(count, full.cpu),
    ]),
    note: `Streamed calls of ${pieces} pieces, ${atOnce} at once for the throughput.`,
  };
  return { tables: [table] };
}

/** Sessions, spread over the servers, with their readers at the next one. */
async function sessions(...[database, counts]: Parameters<Part>): Promise<Found> {
  const measured = await forServers(database, counts.servers, async (shared) => {
    await measurePaced(shared, { sessions: counts.servers.length, messages: 20, everyMs: 50 });
    const paced = await measurePaced(shared, counts.paced);
    return { paced, burst: await measureBurst(shared, counts.burst) };
  });
  const rate = (counts.paced.sessions * 1_000) / counts.paced.everyMs;
  const table: Table = {
    name: 'servers-sessions',
    head: [
      'servers',
      'blocks/s',
      'ratio',
      `first token p95 at ${rate}/s`,
      'p50',
      ...cpuHead('message'),
      'runners, CPU ms a message',
      'messages/s with a core for each server',
    ],
    rows: measured.map(({ count, paced, burst }) => [
      String(count),
      burst.perSecond.toFixed(0),
      ratio(burst.perSecond, measured[0]!.burst.perSecond),
      ms(percentile(paced.firstToken, 0.95)),
      ms(percentile(paced.firstToken, 0.5)),
      ...cpuCells(paced.cpu, measured[0]!.paced.cpu),
      paced.cpu.runners.toFixed(2),
      withCores(count, paced.cpu),
    ]),
    note: `A runner at each server; each session is read through the next server. Throughput: ${counts.burst.sessions} agents as fast as they can.`,
  };
  return { tables: [table] };
}

/** What single things cost: the differences between much and little of each. */
async function singleCosts(...[database, counts]: Parameters<Part>): Promise<Found> {
  return withServers(database, { count: 2 }, async (shared) => {
    const other = shared.servers[1]!;
    const first = { ...part(shared, 0), beside: [other] };
    const { calls: total, perSecond } = counts.calls;
    const call = (pieces: number) => measureCalls(first, { calls: Math.ceil(total / 3), pieces, pace: { perSecond } });
    await call(10);
    const [short, long] = [await call(1), await call(201)];
    await measurePaced(first, { sessions: 2, messages: 20, everyMs: 50 });
    const idleShare = await cpuShare(other, () => pause(IDLE_MS));
    const noticeMs = await cpuForNotice(other, idleShare, { ...counts.notices, databaseUrl: shared.databaseUrl });
    const told = await countNotices(shared.databaseUrl, HUB_CHANNEL);
    const alone = await measurePaced(first, counts.paced);
    const notices = told.count;
    await told.end();
    const streamed = await measurePaced(first, counts.streamed);
    const read = await measurePaced(first, { ...counts.paced, readers: counts.readers });
    const elsewhere = await measurePaced({ ...first, servers: [other], beside: first.servers }, counts.paced);
    const prompt = await measurePrompts(first, counts.prompts);

    const { tellings } = alone;
    const messages = counts.paced.sessions * counts.paced.messages;
    const idle = (idleShare * alone.tookMs) / messages;
    const delivery = atLeast0((read.cpu.servers - alone.cpu.servers) / (counts.readers - 1) / tellings);
    // Both servers make what was said findable, so what a message takes is what both did.
    const ofBoth = ({ cpu }: typeof alone) => cpu.servers + cpu.beside;
    const morePieces = counts.streamed.pieces.count - SHORT_PIECES;
    const forPiece = (kind: keyof Cpu) => (streamed.cpu[kind] - alone.cpu[kind]) / morePieces;
    return {
      tables: [],
      costs: {
        gatewayCall: { server: short.cpu.servers, database: short.cpu.database },
        gatewayPiece: { server: atLeast0((long.cpu.servers - short.cpu.servers) / 200) },
        prompt: { server: prompt.servers, database: prompt.database, runner: prompt.runners },
        message: {
          server: atLeast0(ofBoth(alone) - idle - (noticeMs * notices) / messages - delivery * tellings),
          database: alone.cpu.database,
          runner: alone.cpu.runners,
          tellings,
        },
        piece: {
          server: atLeast0(forPiece('servers') - (delivery * (streamed.tellings - tellings)) / morePieces),
          database: atLeast0(forPiece('database')),
          runner: atLeast0(forPiece('runners')),
        },
        notice: { server: noticeMs },
        elsewhere: {
          server: atLeast0((ofBoth(elsewhere) - ofBoth(alone)) / tellings),
          database: atLeast0((elsewhere.cpu.database - alone.cpu.database) / tellings),
        },
        delivery: { server: delivery },
      },
    };
  });
}

/** One of the servers with its runner. */
function part(shared: SharedServers, at: number): SharedServers {
  const [servers, clients, runners] = [[shared.servers[at]!], [shared.clients[at]!], [shared.runners[at]!]];
  return { ...shared, servers, clients, runners };
}

/** Which share of a core a server needs while something is done. */
async function cpuShare(server: HubProcess, work: () => Promise<unknown>): Promise<number> {
  const [startedAt, cpuMs] = [performance.now(), server.cpuMs()];
  await work();
  return (server.cpuMs() - cpuMs) / (performance.now() - startedAt);
}

/** What a server works to be told of what others stored, where nobody reads that here. */
async function cpuForNotice(
  server: HubProcess,
  idleShare: number,
  { databaseUrl, count, everyMs, sessions }: (typeof FULL)['notices'] & { databaseUrl: string },
): Promise<number> {
  const teller = await openTeller(databaseUrl, HUB_CHANNEL);
  const stored = Array.from({ length: sessions }, (_, index) => ({ stored: [`a-session-of-others-${index}`, 1_000] }));
  const startedAt = performance.now();
  const share = await cpuShare(server, async () => {
    for (let told = 0; told < count; told++) {
      await teller.tell(JSON.stringify(['another-server', ...stored]));
      await pause(everyMs);
    }
  });
  const tookMs = performance.now() - startedAt;
  await teller.end();
  return atLeast0(((share - idleShare) * tookMs) / count);
}

/** Memory and CPU of more and more sessions at one server and one runner. */
async function growth(...[database, { growth: counts }]: Parameters<Part>): Promise<Found> {
  const measured: { sessions: number; grown: Growth }[] = [];
  for (const many of counts.sessions) {
    const grown = await withServers(database, { count: 1 }, (shared) =>
      measureGrowth(shared, { sessions: many, seconds: counts.seconds }),
    );
    measured.push({ sessions: many, grown });
  }
  const [first, last] = [measured[0]!, measured.at(-1)!];
  const line = (what: string, pick: (grown: Growth) => number, digits: number) => [
    what,
    ...measured.map(({ grown }) => pick(grown).toFixed(digits)),
    ratio(pick(last.grown), pick(first.grown)),
  ];
  const table: Table = {
    name: 'growth',
    head: ['live sessions', ...measured.map((one) => String(one.sessions)), ratio(last.sessions, first.sessions)],
    rows: [
      line('server, MB', ({ serverMb }) => serverMb, 0),
      line('runner, MB', ({ runnerMb }) => runnerMb, 0),
      line(`messages that came in ${counts.seconds} s`, ({ messages }) => messages, 0),
      line('server, CPU s for them', ({ cpuSeconds }) => cpuSeconds.servers, 2),
      line('runner, CPU s', ({ cpuSeconds }) => cpuSeconds.runners, 2),
      line('PostgreSQL, CPU s', ({ cpuSeconds }) => cpuSeconds.database, 2),
      line('server, CPU ms a message', ({ cpuSeconds, messages }) => (cpuSeconds.servers * 1_000) / messages, 2),
      line('PostgreSQL, CPU ms a message', ({ cpuSeconds, messages }) => (cpuSeconds.database * 1_000) / messages, 2),
      line('server, CPU ms for the start of a session', ({ startCpu }) => startCpu.servers, 1),
      line('PostgreSQL, CPU ms for it', ({ startCpu }) => startCpu.database, 1),
      line('first token p95, ms', ({ firstToken }) => percentile(firstToken, 0.95), 1),
    ],
    note: 'Each session says a message every 10 s and has one reader; the agent itself costs next to nothing.',
  };
  const more = last.sessions - first.sessions;
  const each = (pick: (grown: Growth) => number) => atLeast0((pick(last.grown) - pick(first.grown)) / more);
  const serverSession = each(({ serverUnreadMb }) => serverUnreadMb);
  return {
    tables: [table],
    costs: {
      memoryMb: {
        server: first.grown.serverUnreadMb,
        serverSession,
        reader: atLeast0(each(({ serverMb }) => serverMb) - serverSession),
        runner: first.grown.runnerMb,
        runnerSession: each(({ runnerMb }) => runnerMb),
      },
    },
  };
}

/** Code that is indexed by one server and asked about there and at another one. */
async function index(...[database, { index: counts }]: Parameters<Part>): Promise<Found> {
  const found = await withServers(database, { count: 1, hasRunners: false }, (shared) => measureIndex(shared, counts));
  const { indexing, question } = found;
  const { whole, half, besideOthers } = found.firstElsewhere;
  const times = (one: number, other: number) => `${(one / other).toFixed(2)} times`;
  const table: Table = {
    name: 'index',
    head: ['', 'threads of the server, CPU ms', 'its main thread', 'PostgreSQL'],
    rows: [
      ['indexing, for a MB', ms(indexing.build), ms(indexing.server), ms(indexing.database)],
      ['a question', ms(question.search), ms(question.server), ms(question.database)],
    ],
    note: `${found.sourceMb.toFixed(0)} MB of source. A question took ${ms(question.tookMs)}; a server that is asked elsewhere then had ${found.memoryMb.toFixed(2)} MB more for each MB. The first question to one that has nothing took ${ms(whole.tookMs)} and fetched ${whole.fetchedMb.toFixed(1)} MB of the index; about half as much code ${times(half.tookMs, whole.tookMs)} that and ${times(half.fetchedMb, whole.fetchedMb)} as much; with twice as much of others' code beside it ${times(besideOthers.tookMs, whole.tookMs)} that and ${times(besideOthers.fetchedMb, whole.fetchedMb)} as much.`,
  };
  return {
    tables: [table],
    costs: {
      question: { server: question.server, search: question.search, database: question.database },
      indexedMb: { build: indexing.build + indexing.server, database: indexing.database },
      memoryMb: { indexedMb: atLeast0(found.memoryMb) },
    },
  };
}

/** What it was measured on. */
function machineTable(): Table {
  const cores = cpus();
  const memoryGb = totalmem() / 1e9;
  return {
    name: 'machine',
    head: ['cores', 'kind', 'memory', 'Node', 'load in the last minute'],
    rows: [
      [
        String(cores.length),
        cores[0]?.model ?? 'unknown',
        `${memoryGb.toFixed(0)} GB`,
        process.version,
        loadavg()[0]!.toFixed(1),
      ],
    ],
    note: 'All servers, PostgreSQL, runners, clients, readers and the model shared these cores.',
  };
}

function roundedTo3(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(3)) : value;
}

function costsTable({ isMeasured, ...groups }: ReturnType<typeof readCosts>): Table {
  const rows = Object.entries(groups).flatMap(([name, group]) =>
    Object.entries(group).map(([key, value]) => [name, key, value.toPrecision(3)]),
  );
  return {
    name: 'costs',
    head: ['what', 'where', 'CPU ms; MB; times'],
    rows,
    ...(!isMeasured && { note: 'Some of these are guesses so far.' }),
  };
}

async function forServers<Result extends object>(
  database: SharedDatabase,
  counts: readonly number[],
  measure: (shared: SharedServers) => Promise<Result>,
): Promise<(Result & { count: number })[]> {
  const measured: (Result & { count: number })[] = [];
  for (const count of counts) measured.push({ count, ...(await withServers(database, { count }, measure)) });
  return measured;
}

/** Both: a group may be found in parts. */
function addCosts(one: FoundCosts, other: FoundCosts): FoundCosts {
  return { ...one, ...other, memoryMb: { ...one.memoryMb, ...other.memoryMb } };
}

function cpuHead(what: string): string[] {
  return [`servers, CPU ms a ${what}`, 'ratio', `PostgreSQL, CPU ms a ${what}`, 'ratio'];
}

/** What servers and database worked for one, each beside what it was with one server. */
function cpuCells(cpu: Cpu, first: Cpu): string[] {
  return [
    cpu.servers.toFixed(2),
    ratio(cpu.servers, first.servers),
    cpu.database.toFixed(2),
    ratio(cpu.database, first.database),
  ];
}

/** What so many servers would do in a second if each had a core of its own, by what they worked for one. */
function withCores(servers: number, cpu: Cpu): string {
  return ((servers * 1_000) / cpu.servers).toFixed(0);
}

/** A difference of two measures that is below nothing is nothing. */
function atLeast0(value: number): number {
  return Math.max(0, value);
}

function ratio(value: number, first: number): string {
  return `${(value / first).toFixed(2)} ×`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
