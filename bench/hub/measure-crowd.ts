import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, newSession, say } from './bench-session.ts';
import { FirstSeen, type Latencies } from './measure-first-token.ts';
import { readSession, type SessionReader } from './session-reader.ts';

/** What many sessions cost. */
export interface Crowd {
  hubMb: number;
  hubPeakMb: number;
  runnerMb: number;
  /** Of the runner, for each session beyond the first. */
  mbPerSession: number;
  /** Share of one core, while everyone talks. */
  hubCpu: number;
  runnerCpu: number;
  firstToken: Latencies;
}

const ONE_MESSAGE_EVERY_MS = 10_000;
/** So many calls at once while sessions are made. */
const AT_ONCE = 8;

/**
 * Many sessions in the middle of a turn, each saying something now and then, and many readers, each at a session of its
 * own. What is told of memory is the middle of several looks; a garbage collection may be in any single one.
 */
export async function measureCrowd(
  bench: Bench,
  { sessions, readers, seconds }: { sessions: number; readers: number; seconds: number },
): Promise<Crowd> {
  const { hub, runner } = bench;
  const start = async (index: number) => {
    const id = await newSession(bench);
    const firstMs = ((index * 7919) % ONE_MESSAGE_EVERY_MS) + 2_000;
    await say(bench, id, { type: 'paced', messages: 1_000_000, everyMs: ONE_MESSAGE_EVERY_MS, firstMs });
    return id;
  };
  const sessionIds = [await start(0)];
  await pause(2_000);
  const alone = runner.rssMb();
  for (let from = 1; from < sessions; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, sessions - from);
    sessionIds.push(...(await Promise.all(Array.from({ length }, (_, index) => start(from + index)))));
  }
  const opened: { reader: SessionReader; seen: FirstSeen }[] = [];
  try {
    for (const id of sessionIds.slice(0, readers)) {
      const seen = new FirstSeen();
      opened.push({ reader: await readSession(hub, id, (events) => seen.note(events)), seen });
    }
    await pause(3_000);
    const cpu = { hub: hub.cpuMs(), runner: runner.cpuMs(), at: performance.now() };
    const looks: { hub: number; runner: number }[] = [];
    for (let second = 0; second < seconds; second++) {
      await pause(1_000);
      looks.push({ hub: hub.rssMb(), runner: runner.rssMb() });
    }
    const ms = performance.now() - cpu.at;
    const runnerMb = middle(looks.map((look) => look.runner));
    return {
      hubMb: middle(looks.map((look) => look.hub)),
      hubPeakMb: hub.peakMb(),
      runnerMb,
      mbPerSession: (runnerMb - alone) / Math.max(1, sessions - 1),
      hubCpu: (hub.cpuMs() - cpu.hub) / ms,
      runnerCpu: (runner.cpuMs() - cpu.runner) / ms,
      firstToken: opened.flatMap(({ seen }) => seen.latencies()).toSorted((one, other) => one - other),
    };
  } finally {
    for (const { reader } of opened) reader.close();
  }
}

/** The middle one of some values. */
export function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
