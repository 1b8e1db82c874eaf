import { type Bench, newSession, say, stampIn, within } from './bench-session.ts';
import { clockMs } from './scripted-agent.ts';
import { readSession } from './session-reader.ts';

/** What came through. */
export interface Ingest {
  blocksPerSecond: number;
  /** What the hub worked, in ms for a thousand blocks. */
  hubCpuMs: number;
  runnerCpuMs: number;
  sessionIds: readonly string[];
}

/**
 * Agents speak as fast as they can, each with a reader, until the readers have seen the last word. Every block has to come
 * once and in its place.
 */
export async function measureIngest(
  bench: Bench,
  { sessions, blocks }: { sessions: number; blocks: number },
): Promise<Ingest> {
  const { hub, runner } = bench;
  const sessionIds = await Promise.all(Array.from({ length: sessions }, () => newSession(bench)));
  const cpu = { hub: hub.cpuMs(), runner: runner.cpuMs() };
  const spans = await Promise.all(sessionIds.map((id) => readBurst(bench, id, blocks)));
  const tookMs = Math.max(...spans.map(({ to }) => to)) - Math.min(...spans.map(({ from }) => from));
  const thousands = (sessions * blocks) / 1_000;
  return {
    blocksPerSecond: (sessions * blocks * 1_000) / tookMs,
    hubCpuMs: (hub.cpuMs() - cpu.hub) / thousands,
    runnerCpuMs: (runner.cpuMs() - cpu.runner) / thousands,
    sessionIds,
  };
}

async function readBurst(bench: Bench, sessionId: string, blocks: number): Promise<{ from: number; to: number }> {
  const span = { from: Infinity, to: 0 };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let next = 0;
  const reader = await readSession(bench.hub, sessionId, (events) => {
    for (const logged of events) {
      if (logged.event.type !== 'block-stop') continue;
      const stamp = stampIn(logged);
      if (stamp?.index !== next) reject(new Error(`Block ${next} was lost: ${stamp?.index} came`));
      if (stamp?.index === 0) span.from = stamp.atMs;
      next += 1;
    }
    if (next < blocks) return;
    span.to ||= clockMs();
    resolve();
  });
  try {
    await say(bench, sessionId, { type: 'burst', blocks });
    await within(120, `${blocks} blocks in one session`, promise);
  } finally {
    reader.close();
  }
  return span;
}
