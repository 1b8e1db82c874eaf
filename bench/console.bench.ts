import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConsoleBench, launchBrowser } from './console/console-bench.ts';
import { measureDeltas } from './console/measure-deltas.ts';
import { type FirstLoad, measureFirstLoad } from './console/measure-first-load.ts';
import { measureInteractive } from './console/measure-interactive.ts';
import { type Hour, type MemoryLook, measureMemory } from './console/measure-memory.ts';
import { makeLongSession, measureOpening, type Opening } from './console/measure-opening.ts';
import { measureScrolling, type ScrollPace } from './console/measure-scrolling.ts';
import { measureTyping } from './console/measure-typing.ts';
import { startHub, startRunner } from './hub/bench-process.ts';
import { benchClient } from './hub/bench-session.ts';
import { middle } from './hub/measure-crowd.ts';
import { type Latencies, percentile } from './hub/measure-first-token.ts';

const FULL = {
  loads: 5,
  openings: 3,
  deltas: { sessions: 20, perSecond: 50, seconds: 20 },
  typing: { keys: 200, perSecond: 100, pauseMs: 80 },
  long: { blocks: 10_000, turns: 50 },
  hour: { turns: 60, piecesPerTurn: 3_000, perSecond: 3_000, looks: 5 } satisfies Hour,
};
const QUICK: typeof FULL = {
  loads: 1,
  openings: 1,
  deltas: { sessions: 4, perSecond: 50, seconds: 5 },
  typing: { keys: 30, perSecond: 100, pauseMs: 80 },
  long: { blocks: 1_000, turns: 5 },
  hour: { turns: 10, piecesPerTurn: 600, perSecond: 3_000, looks: 5 },
};

const PARTS = { load, deltas, typing, opening, memory } as const;
const RUNNER = fileURLToPath(new URL('console/runner.ts', import.meta.url));

/**
 * The console in a real browser on the real server, beside the limits it has to keep. `--quick` for small counts, `--only
 * NAME` for one part. `DRAGOMAN_CONSOLE` names a folder with another build of it.
 */
export async function run(options: readonly string[] = []): Promise<void> {
  const counts = options.includes('--quick') ? QUICK : FULL;
  const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : undefined;
  row('', 'here', 'limit');
  for (const [name, part] of Object.entries(PARTS))
    if (only === undefined || only === name) await withConsole((bench) => part(bench, counts));
  console.log(`\nload of the machine in the last minute: ${loadavg()[0]!.toFixed(1)}`);
}

type Part = (bench: ConsoleBench, counts: typeof FULL) => Promise<void>;

async function load(...[bench, { loads }]: Parameters<Part>): Promise<void> {
  const title = 'A short session';
  const { sessionId, lastWord } = await makeLongSession(bench, { blocks: 12, turns: 1, title });
  await measureFirstLoad(bench, '/', title); // What the server is slow at the first time is done here.
  const home = await measureFirstLoad(bench, '/', title);
  const session = await measureFirstLoad(bench, `/sessions/${sessionId}`, lastWord);
  const parts = ({ scriptBytes, scripts, styleBytes }: FirstLoad) =>
    `${kb(scriptBytes)} in ${scripts} files, ${kb(styleBytes)}`;
  const homeBytes = home.scriptBytes + home.styleBytes;
  limited('first load of Home', kb(homeBytes), '220 KB', homeBytes <= 220_000);
  row('  script, style', parts(home), '-');
  row('first load of a session: script, style', parts(session), '-');
  const interactive: number[] = [];
  for (let round = 0; round < loads; round++) interactive.push(await measureInteractive(bench, title));
  limited('interactive: Home and its menu', ms(middle(interactive)), '1500 ms', middle(interactive) <= 1_500);
  row('  every one', interactive.map(ms).join(', '), '-');
}

async function deltas(...[bench, { deltas: counts }]: Parameters<Part>): Promise<void> {
  const { afterHub, afterSaid, staysAtEnd, pageCpu } = await measureDeltas(bench, counts);
  const { sessions, perSecond } = counts;
  row(`delta at ${sessions} × ${perSecond}/s, from the hub: p50`, ms(percentile(afterHub, 0.5)), '-');
  limited('  p95', ms(percentile(afterHub, 0.95)), '50 ms', percentile(afterHub, 0.95) <= 50);
  const spread = (latencies: Latencies) => [0.5, 0.95].map((share) => ms(percentile(latencies, share))).join(', ');
  row('  from the agent: p50, p95', spread(afterSaid), '-');
  row('  worst from the hub', `${ms(afterHub.at(-1) ?? NaN)} of ${afterHub.length} pieces`, '-');
  limited('  stays at the end', staysAtEnd ? 'yes' : 'no', 'yes', staysAtEnd);
  row('  CPU of the page', percent(pageCpu), '-');
}

async function typing(...[bench, { typing: counts }]: Parameters<Part>): Promise<void> {
  const { whileIdle, whileStreaming } = await measureTyping(bench, counts);
  const spread = (latencies: Latencies) => [0.5, 0.95].map((share) => ms(percentile(latencies, share))).join(', ');
  row('typing while nothing happens: p50, p95', spread(whileIdle), '-');
  const p95 = percentile(whileStreaming, 0.95);
  limited(`typing while ${counts.perSecond} pieces/s stream: p50, p95`, spread(whileStreaming), 'p95 50 ms', p95 <= 50);
}

async function opening(...[bench, { openings, long }]: Parameters<Part>): Promise<void> {
  const session = await makeLongSession(bench, { ...long, title: 'A long session' });
  const measured: Opening[] = [];
  for (let round = 0; round < openings; round++) measured.push(await measureOpening(bench, session));
  const of = (pick: (one: Opening) => number) => middle(measured.map(pick));
  const first = of(({ firstMs }) => firstMs);
  limited(`opening ${long.blocks} blocks from the list`, ms(first), '500 ms', first <= 500);
  row('  every one', measured.map(({ firstMs }) => ms(firstMs)).join(', '), '-');
  const [page, hub] = [of(({ firstCpuMs }) => firstCpuMs), of(({ hubCpuMs }) => hubCpuMs)];
  row('  CPU for it', `page ${ms(page)}, hub ${ms(hub)}`, '-');
  row('  again, after another page', ms(of(({ againMs }) => againMs)), '-');
  const paces: [string, ScrollPace][] = [
    ['scrolling as one reads', { type: 'reading', share: 0.1, frames: 240 }],
    ['scrolling from top to bottom', { type: 'through', frames: 240 }],
  ];
  for (const [what, pace] of paces) {
    const { frames, lateShare, p95Ms, worstMs, cpuMs } = await measureScrolling(bench, session, pace);
    row(`${what}: p95 of ${frames} frames`, `${ms(p95Ms)}, worst ${ms(worstMs)}`, '-');
    row('  frames over 33 ms', percent(lateShare), '-');
    row('  CPU of the page for a frame', ms(cpuMs), '-');
  }
}

async function memory(...[bench, { hour }]: Parameters<Part>): Promise<void> {
  const startedAt = performance.now();
  const looks = await measureMemory(bench, hour);
  const seconds = (performance.now() - startedAt) / 1_000;
  const [first, last] = [looks[0]!, looks.at(-1)!];
  const pieces = hour.turns * hour.piecesPerTurn;
  row(`an hour: ${pieces} pieces, ${hour.turns} turns, ${last.blocks} blocks`, `in ${seconds.toFixed(0)} s`, '-');
  const spread = (pick: (look: MemoryLook) => number, digits = 1) =>
    looks.map((look) => pick(look).toFixed(digits)).join(', ');
  row('  heap at each fifth, session open', `${spread(({ session }) => session.heapMb)} MB`, '-');
  const [grown, logGrown] = [last.session.heapMb - first.session.heapMb, last.logMb - first.logMb];
  const weight = last.opened!.heapMb - first.opened!.heapMb;
  const kept = grown / weight;
  limited(
    '  growth since the first, against its weight in a new page',
    `${mb(grown)} to ${mb(weight)}: ${kept.toFixed(2)} ×`,
    '1.25 ×',
    kept <= 1.25,
  );
  row('  the log grew, as JSON, by', mb(logGrown), '-');
  row('  growth for 1,000 blocks', mb((grown * 1_000) / (last.blocks - first.blocks)), '-');
  row('  last against first', `${(last.session.heapMb / first.session.heapMb).toFixed(2)} ×`, '-');
  row('  last against a page that opens it now', `${mb(last.session.heapMb)} to ${mb(last.opened!.heapMb)}`, '-');
  row('  document', `${spread(({ session }) => session.documentMb)} MB`, '-');
  row(
    '  its nodes',
    spread(({ session }) => session.nodes, 0),
    '-',
  );
  const staysAtEnd = looks.every(({ isAtEnd }) => isAtEnd);
  limited('  stays at the end', staysAtEnd ? 'yes' : 'no', 'yes', staysAtEnd);
  row('  heap at each fifth, on Home', `${spread(({ home }) => home.heapMb)} MB`, '-');
  const flat = last.home.heapMb / first.home.heapMb;
  limited('  last against first', `${flat.toFixed(2)} ×`, '1.10 ×', flat <= 1.1);
}

/** A server with nothing in it, a runner and a browser for as long as the work takes. */
async function withConsole(work: (bench: ConsoleBench) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  mkdirSync(join(folder, 'hub'));
  const ends: (() => Promise<unknown>)[] = [];
  try {
    const hub = await startHub({ folder });
    ends.push(() => hub.stop());
    const runner = await startRunner({ folder }, hub, RUNNER);
    ends.push(() => runner.stop());
    const browser = await launchBrowser();
    ends.push(() => browser.close());
    await work({ hub, runner, browser, client: benchClient(hub) });
  } finally {
    for (const end of ends.toReversed()) await end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function limited(what: string, here: string, limit: string, isKept: boolean): void {
  row(what, here, isKept ? limit : `${limit}  missed`);
}

function row(what: string, here: string, limit: string): void {
  console.log(`${what.padEnd(58)} ${here.padEnd(36)} ${limit}`);
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function mb(value: number): string {
  return `${value.toFixed(1)} MB`;
}

function kb(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} KB`;
}
