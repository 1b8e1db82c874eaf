import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchChat, larkChat, telegramChat, telegramGroup } from './channels/bench-chat.ts';
import { type Logged, measureLog } from './channels/measure-log.ts';
import { measureQuiet } from './channels/measure-quiet.ts';
import { measureRendering } from './channels/measure-rendering.ts';
import { measureStream, type StreamedChat, type StreamOptions } from './channels/measure-stream.ts';
import { AGENT, configureBots, openPlatforms, type Platforms } from './channels/platforms.ts';
import { type BenchPlace, startHub, startRunner } from './hub/bench-process.ts';
import { type Bench, benchClient } from './hub/bench-session.ts';
import { middle } from './hub/measure-crowd.ts';
import { percentile } from './hub/measure-first-token.ts';

const FULL = {
  stream: { tokens: 1_000, perSecond: 50 },
  calls: 10,
  rounds: 4,
  burst: 4_000,
  quiet: 100,
  rendered: 10_000,
};
const QUICK: typeof FULL = {
  stream: { tokens: 250, perSecond: 50 },
  calls: 3,
  rounds: 1,
  burst: 200,
  quiet: 10,
  rendered: 1_000,
};

/** Calls for 1,000 tokens at 50 tokens a second. */
const MOST_CALLS = { telegram: 30, lark: 40 } as const;
const CALL_MS = 500;
/** With calls this long an answer comes at half the pace; the limits are for the whole one, so they are not held against it. */
const SLOW_CALL_MS = 2_000;

const PARTS = {
  text: (place: BenchPlace, counts: typeof FULL) => stream(place, 'text', { ...counts.stream, calls: 0, callMs: 0 }),
  tools: (place: BenchPlace, counts: typeof FULL) =>
    stream(place, 'text with calls', { ...counts.stream, calls: counts.calls, callMs: CALL_MS }),
  'slow-tools': (place: BenchPlace, counts: typeof FULL) =>
    stream(place, 'text with slow calls', { ...counts.stream, calls: counts.calls, callMs: SLOW_CALL_MS }),
  log,
  quiet,
  rendering,
} as const;

/**
 * What chats cost: the platforms that are called, the people who wait, and the hub.
 *
 * The hub and the runner are processes of their own; Telegram and Lark are the fakes of the test kit with the limits that the
 * platforms document, in the process of the benchmark. `--quick` for small counts, `--only NAME` for one part. The exit code
 * is 1 where a limit is missed.
 */
export async function run(options: readonly string[] = []): Promise<void> {
  const counts = options.includes('--quick') ? QUICK : FULL;
  const only = options.includes('--only') ? options[options.indexOf('--only') + 1] : undefined;
  row('', 'here', 'limit', 'ratio');
  for (const [name, part] of Object.entries(PARTS)) {
    if (only !== undefined && only !== name) continue;
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
    try {
      await part({ folder }, counts);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(`\nload of the machine in the last minute: ${loadavg()[0]!.toFixed(1)}`);
  if (missed.length === 0) return;
  console.log(`\nMissed: ${missed.join('; ')}`);
  process.exitCode = 1;
}

const missed: string[] = [];

async function stream(place: BenchPlace, title: string, options: StreamOptions): Promise<void> {
  await withBots(place, async (bench, { telegram, lark }) => {
    const { client } = bench;
    const chats = [
      await telegramChat(client, telegram),
      await telegramGroup(client, telegram),
      await larkChat(client, lark),
    ];
    // What is fast later is compiled here.
    await measureStream(bench, chats, { ...options, tokens: 150, calls: Math.min(1, options.calls) });
    const nobody = await measureStream(bench, [], options);
    const streamed = await measureStream(bench, chats, options);
    row(
      `${title}, ${options.calls} calls: ${options.tokens} tokens at ${options.perSecond}/s in three chats`,
      '',
      '',
      '',
    );
    for (const chat of streamed.chats) tellChat(title, chat, options);
    row(
      '  CPU of the hub, nobody looks on → three chats',
      `${percent(nobody.hubCpu)} → ${percent(streamed.hubCpu)}`,
      '-',
      times(streamed.hubCpuMs / nobody.hubCpuMs),
    );
  });
}

function tellChat(
  title: string,
  { chat, calls, refusals, behind, endedMs, wrong }: StreamedChat,
  { tokens, callMs }: StreamOptions,
): void {
  const all = [...calls.values()].reduce((sum, count) => sum + count, 0);
  const perThousand = (all * 1_000) / tokens;
  const limit = MOST_CALLS[chat.channel];
  const name = `${chat.title}, ${title}`;
  // What begins and ends an answer is as much for a short one.
  const isCounted = tokens >= FULL.stream.tokens && callMs <= CALL_MS;
  check(!isCounted || perThousand <= limit, `${name}: ${perThousand.toFixed(0)} calls for 1,000 tokens, not ${limit}`);
  check(refusals.length === 0, `${name}: ${refusals.length} calls were refused`);
  check(wrong === 0, `${name}: ${wrong} pieces are missing or there twice`);
  row(
    `  ${chat.title}: calls for 1,000 tokens`,
    perThousand.toFixed(0),
    isCounted ? `${limit}` : '-',
    isCounted ? times(perThousand / limit) : '-',
  );
  for (const [what, count] of [...calls].toSorted(([, one], [, other]) => other - one))
    row(`      ${what}`, String(count), '-', '-');
  row(
    '    refused',
    refusals.length === 0 ? '0' : `${refusals.length} (${[...new Set(refusals)].join(', ')})`,
    '0',
    '-',
  );
  row('    missing or twice at the end', String(wrong), '0', '-');
  row(
    '    token → visible: p50, p95, most',
    [0.5, 0.95, 1].map((share) => seconds(percentile(behind, share))).join(', '),
    '-',
    '-',
  );
  row('    last token → all is said', seconds(endedMs), '-', '-');
}

async function log(place: BenchPlace, { rounds, burst }: typeof FULL): Promise<void> {
  await withBots(place, async (bench, { telegram, lark }) => {
    const chats: BenchChat[] = [];
    for (let pair = 0; pair < 2; pair++)
      chats.push(await telegramChat(bench.client, telegram), await larkChat(bench.client, lark));
    const [alone, followed]: [Logged[], Logged[]] = [[], []];
    // What is fast later is compiled in the first round, which is not counted; whoever is first has no advantage.
    for (let round = 0; round <= rounds; round++)
      for (const isFollowed of round % 2 === 0 ? [false, true] : [true, false]) {
        const measured = await measureLog(bench, chats, { blocks: burst, isFollowed });
        if (round > 0) (isFollowed ? followed : alone).push(measured);
      }
    const what = `log: ${chats.length} sessions as fast as they can, unfollowed → followed`;
    tellPairs(
      what,
      alone,
      followed,
      (one) => one.eventsPerSecond,
      (rate) => `${rate.toFixed(0)}/s`,
    );
    tellPairs('  CPU of the hub for 1,000 events', alone, followed, (one) => one.hubCpuMs, ms);
  });
}

/** The middle of each, and of the ratios round by round with the least and the most of them. */
function tellPairs(
  what: string,
  before: readonly Logged[],
  after: readonly Logged[],
  pick: (one: Logged) => number,
  write: (value: number) => string,
): void {
  const ratios = after.map((one, round) => pick(one) / pick(before[round]!));
  const here = [before, after].map((measured) => write(middle(measured.map(pick)))).join(' → ');
  const span = `${times(Math.min(...ratios))} to ${times(Math.max(...ratios))}`;
  row(what, here, '-', `${times(middle(ratios))} (${span})`);
}

async function quiet(place: BenchPlace, { quiet: chats }: typeof FULL): Promise<void> {
  const { withoutBots, withBots, afterTalk, following, cpu } = await measureQuiet(place, { chats });
  row(`quiet: hub with ${chats} sessions, no bots`, mb(withoutBots), '-', '-');
  row('  with both bots, in no chat', mb(withBots), '-', times(withBots / withoutBots));
  row(`  ${chats} chats have just said hello`, mb(afterTalk), '-', times(afterTalk / withBots));
  row(`  ${chats} chats follow ${chats} sessions, after a restart`, mb(following), '-', times(following / withBots));
  row('  CPU at rest: no bots, bots, chats', cpu.map(percent).join(', '), '-', '-');
}

async function rendering(_place: BenchPlace, { rendered: blocks }: typeof FULL): Promise<void> {
  for (const turns of [blocks / 20, 1])
    for (const { title, wholeMs, posts, wordMs } of measureRendering({ blocks, turns })) {
      row(`rendering ${blocks} blocks in ${turns} turns: ${title}`, `${ms(wholeMs)}, ${posts} posts`, '-', '-');
      row('  one more word at the end', ms(wordMs), '-', '-');
    }
}

/** A hub with a bot on each platform, and a runner, for as long as the work takes. */
async function withBots(place: BenchPlace, work: (bench: Bench, platforms: Platforms) => Promise<void>): Promise<void> {
  const platforms = await openPlatforms();
  try {
    configureBots(place.folder, platforms);
    const hub = await startHub(place);
    try {
      const runner = await startRunner(place, hub, AGENT);
      try {
        await work({ hub, runner, client: benchClient(hub) }, platforms);
      } finally {
        await runner.stop();
      }
    } finally {
      await hub.stop();
    }
  } finally {
    await platforms.close();
  }
}

function check(isKept: boolean, otherwise: string): void {
  if (!isKept) missed.push(otherwise);
}

function row(what: string, here: string, limit: string, ratio: string): void {
  console.log(`${what.padEnd(70)} ${here.padEnd(30)} ${limit.padEnd(6)} ${ratio}`.trimEnd());
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)}×`;
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

function seconds(value: number): string {
  return `${(value / 1_000).toFixed(2)} s`;
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
