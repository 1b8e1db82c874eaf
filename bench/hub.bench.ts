import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HubClient } from '@dragoman/protocol';
import { type BenchPlace, startHub, startPlainRunner, startRunner } from './hub/bench-process.ts';
import { type Bench, benchClient } from './hub/bench-session.ts';
import { type CatchUp, measureCatchUp } from './hub/measure-catch-up.ts';
import { measureCrowd, middle } from './hub/measure-crowd.ts';
import { type Fairness, measureFairness } from './hub/measure-fairness.ts';
import { type Latencies, measureFirstToken, percentile } from './hub/measure-first-token.ts';
import { type Ingest, measureIngest } from './hub/measure-ingest.ts';
import { offerPipedAgent } from './hub/piped-agent.ts';

const FULL = {
  rounds: 3,
  messages: 1_000,
  ingest: { sessions: 10, blocks: 3_000 },
  crowd: { sessions: 500, readers: 200, seconds: 30 },
  caughtUp: 50_000,
  fairness: { own: 40, remote: 40, seconds: 20 },
};
const QUICK: typeof FULL = {
  rounds: 1,
  messages: 100,
  ingest: { sessions: 4, blocks: 500 },
  crowd: { sessions: 40, readers: 20, seconds: 5 },
  caughtUp: 2_000,
  fairness: { own: 10, remote: 10, seconds: 5 },
};

const PARTS = { 'first-token': firstToken, ingest, crowd, 'catch-up': catchUp, fairness } as const;

/**
 * The hub and a runner as processes of their own on this machine, over HTTP, beside the figures of HAPI 0.30.7, which were
 * measured on a machine with the same two cores. `--quick` for small counts, `--only NAME` for one part, `--profiles
 * FOLDER` for CPU profiles of both processes.
 */
export async function run(options: readonly string[] = []): Promise<void> {
  const counts = options.includes('--quick') ? QUICK : FULL;
  const only = valueOf(options, '--only');
  const profiles = valueOf(options, '--profiles');
  row('', 'here', 'limit', 'HAPI');
  for (const [name, part] of Object.entries(PARTS)) {
    if (only !== undefined && only !== name) continue;
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
    mkdirSync(join(folder, 'hub'));
    try {
      await part({ folder, profiles }, counts);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`\nload of the machine in the last minute: ${loadavg()[0]!.toFixed(1)}`);
}

type Part = (place: BenchPlace, counts: typeof FULL) => Promise<void>;

async function firstToken(...[place, { rounds, messages }]: Parameters<Part>): Promise<void> {
  await withBench(place, async (bench) => {
    await measureFirstToken(bench, { messages: Math.min(100, messages), perSecond: 50 }); // What is fast later is compiled here.
    const measured: Latencies[] = [];
    const cpu = { hub: bench.hub.cpuMs(), runner: bench.runner.cpuMs(), at: performance.now() };
    for (let round = 0; round < rounds; round++)
      measured.push(await measureFirstToken(bench, { messages, perSecond: 50 }));
    const at = (share: number) => ms(middle(measured.map((latencies) => percentile(latencies, share))));
    row(
      'first token at 50 messages/s: p50',
      at(0.5),
      '20 ms',
      '2.6 ms whole messages; a text is shown when its turn ends',
    );
    row('  p95', at(0.95), '-', '10.1 ms');
    row('  p99', at(0.99), '50 ms', '22.4 ms');
    const took = performance.now() - cpu.at;
    const [hub, runner] = [(bench.hub.cpuMs() - cpu.hub) / took, (bench.runner.cpuMs() - cpu.runner) / took];
    row('  CPU', `hub ${percent(hub)}, runner ${percent(runner)}`, '-', '-');
  });
}

async function ingest(...[place, { rounds, ingest: counts }]: Parameters<Part>): Promise<void> {
  await withBench(place, async (bench) => {
    await measureIngest(bench, { sessions: counts.sessions, blocks: 200 });
    const measured: Ingest[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measureIngest(bench, counts));
    const of = (pick: (one: Ingest) => number) => middle(measured.map(pick));
    const total = counts.sessions * counts.blocks;
    row(
      `ingest of ${total} blocks to readers`,
      `${of((one) => one.blocksPerSecond).toFixed(0)} blocks/s`,
      '5000',
      '373 to 465 messages/s',
    );
    row(
      '  CPU for 1,000 blocks',
      `hub ${ms(of((one) => one.hubCpuMs))}, runner ${ms(of((one) => one.runnerCpuMs))}`,
      '-',
      '-',
    );
    row('  lost', `0 of ${total}`, '0', '0; 201 of 500 when the network stalls for 8 s');
    row('  hub memory after it', mb(bench.hub.rssMb()), '-', '132 MB after 6,200 messages');
  });
}

async function crowd(...[place, { crowd: counts }]: Parameters<Part>): Promise<void> {
  await (await startHub(place)).stop(); // The first start makes the tables.
  const hub = await startHub(place);
  try {
    row('hub at rest: ready', ms(hub.readyMs), '800 ms', '750 to 1850 ms, the first time 3300 to 6100 ms');
    row('  CPU until then', ms(hub.readyCpuMs), '-', '-');
    await pause(3_000);
    row('  memory', mb(hub.rssMb()), '110 MB', '111 MB');
    const plain = await startPlainRunner(place, hub);
    await pause(5_000);
    row('  memory, `dragoman runner` connected', mb(hub.rssMb()), '110 MB', '-');
    row('  memory of that runner', mb(plain.rssMb()), '-', '108 MB');
    await plain.stop();
    const runner = await startRunner(place, hub);
    try {
      const crowded = await measureCrowd({ hub, runner, client: benchClient(hub) }, counts);
      const { sessions, readers } = counts;
      row(`${sessions} sessions at work, ${readers} readers: hub`, mb(crowded.hubMb), '160 MB', '-');
      row('  its peak', mb(crowded.hubPeakMb), '-', '-');
      row('  runner', mb(crowded.runnerMb), '-', `${((108 + 103 * sessions) / 1_000).toFixed(0)} GB, by its figures`);
      row('  runner for each further session', mb(crowded.mbPerSession, 2), '8 MB', '103 MB');
      row('  CPU', `hub ${percent(crowded.hubCpu)}, runner ${percent(crowded.runnerCpu)}`, '-', '-');
      row(
        '  first token: p50, p99',
        [0.5, 0.99].map((share) => ms(percentile(crowded.firstToken, share))).join(', '),
        '-',
        '-',
      );
    } finally {
      await runner.stop();
    }
  } finally {
    await hub.stop();
  }
}

async function catchUp(...[place, { rounds, caughtUp }]: Parameters<Part>): Promise<void> {
  const sessionId = await withBench(place, async (bench) => {
    const { sessionIds, blocksPerSecond } = await measureIngest(bench, { sessions: 1, blocks: caughtUp });
    row(`ingest of ${caughtUp} blocks in one session`, `${blocksPerSecond.toFixed(0)} blocks/s`, '-', '-');
    const measured: CatchUp[] = [];
    for (let round = 0; round < rounds; round++)
      measured.push(await measureCatchUp(bench.hub, sessionIds[0]!, caughtUp));
    const of = (pick: (one: CatchUp) => number) => middle(measured.map(pick));
    row(
      `catching up with ${caughtUp} events`,
      ms(of((one) => one.tookMs)),
      '-',
      '250 at most; beyond that everything is read anew',
    );
    row('  a second', `${of((one) => one.eventsPerSecond).toFixed(0)} events/s`, '-', '-');
    row('  CPU of the hub', ms(of((one) => one.hubCpuMs)), '-', '-');
    return sessionIds[0]!;
  });
  const ready: number[] = [];
  const readyCpu: number[] = [];
  const opened: number[] = [];
  for (let round = 0; round < Math.max(3, rounds); round++) {
    const hub = await startHub({ folder: place.folder });
    ready.push(hub.readyMs);
    readyCpu.push(hub.readyCpuMs);
    const startedAt = performance.now();
    await benchClient(hub).getSession({ sessionId });
    opened.push(performance.now() - startedAt);
    await hub.stop();
  }
  row('start with that in the store: ready', ms(middle(ready)), '800 ms', '750 to 1850 ms');
  row('  CPU until then', ms(middle(readyCpu)), '-', '-');
  row('  first call of the hub', ms(middle(opened)), '-', '-');
}

/** The server's own runner and one elsewhere at equal load: neither keeps the other from the store. */
async function fairness(...[place, { rounds, fairness: counts }]: Parameters<Part>): Promise<void> {
  for (const data of ['hub', 'plain-runner']) offerPipedAgent(join(place.folder, data));
  const hub = await startHub(place);
  try {
    const client = benchClient(hub);
    const [own] = (await client.listRunners()).runners;
    const runner = await startPlainRunner(place, hub);
    try {
      const remote = await waitForOther(client, own!.id);
      const measured: Fairness[] = [];
      for (let round = 0; round < rounds; round++) {
        const folder = join(place.folder, `round-${round}`);
        measured.push(await measureFairness({ hub, client, folder }, { ...counts, runnerIds: [own!.id, remote] }));
      }
      const p = (of: keyof Fairness, share: number) => middle(measured.map((one) => percentile(one[of], share)));
      const told = (of: keyof Fairness) => `${ms(p(of, 0.5))}, ${ms(p(of, 0.95))}, ${ms(p(of, 1))}`;
      row(`${counts.own} sessions of the own runner: p50, p95, max`, told('own'), '-', '-');
      row(`${counts.remote} of another one, 10 messages/s each`, told('remote'), '-', '-');
      row('  p95 of the other to that of the own', ratio(p('remote', 0.95) / p('own', 0.95)), '3 ×', '-');
    } finally {
      await runner.stop();
    }
  } finally {
    await hub.stop();
  }
}

/** The machine that is connected beside the one that is known. */
async function waitForOther(client: HubClient, known: string): Promise<string> {
  for (let waited = 0; waited < 300; waited++) {
    const other = (await client.listRunners()).runners.find(({ id, isConnected }) => id !== known && isConnected);
    if (other !== undefined) return other.id;
    await pause(100);
  }
  throw new Error('The other runner did not connect.');
}

/** A hub and a runner for as long as the work takes. */
async function withBench<Result>(place: BenchPlace, work: (bench: Bench) => Promise<Result>): Promise<Result> {
  const hub = await startHub(place);
  try {
    const runner = await startRunner(place, hub);
    try {
      return await work({ hub, runner, client: benchClient(hub) });
    } finally {
      await runner.stop();
    }
  } finally {
    await hub.stop();
  }
}

function valueOf(options: readonly string[], name: string): string | undefined {
  const index = options.indexOf(name);
  return index === -1 ? undefined : options[index + 1];
}

function row(what: string, here: string, limit: string, hapi: string): void {
  console.log(`${what.padEnd(46)} ${here.padEnd(30)} ${limit.padEnd(8)} ${hapi}`);
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

function mb(value: number, digits = 0): string {
  return `${value.toFixed(digits)} MB`;
}

function ratio(value: number): string {
  return `${value.toFixed(1)} ×`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
