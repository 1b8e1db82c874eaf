import { stampIn, within } from './bench-session.ts';
import type { HubProcess } from './bench-process.ts';
import { clockMs } from './scripted-agent.ts';
import { readSession } from './session-reader.ts';

/** How a reader fares that was never there. */
export interface CatchUp {
  tookMs: number;
  eventsPerSecond: number;
  hubCpuMs: number;
}

/** A reader comes to a session with so many blocks in it, and has to see each of them once and in order. */
export async function measureCatchUp(hub: HubProcess, sessionId: string, blocks: number): Promise<CatchUp> {
  const cpuMs = hub.cpuMs();
  const startedAt = clockMs();
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let next = 0;
  const reader = await readSession(hub, sessionId, (events) => {
    for (const logged of events) {
      const stamp = stampIn(logged);
      if (stamp === undefined) continue;
      if (stamp.index !== next) reject(new Error(`Block ${next} was lost: ${stamp.index} came`));
      next += 1;
    }
    if (next === blocks) resolve(clockMs() - startedAt);
  });
  try {
    const tookMs = await within(60, 'catching up', promise);
    return { tookMs, eventsPerSecond: (blocks * 1_000) / tookMs, hubCpuMs: hub.cpuMs() - cpuMs };
  } finally {
    reader.close();
  }
}
