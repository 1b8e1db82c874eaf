import { newSession, within } from '../hub/bench-session.ts';
import { readSession } from '../hub/session-reader.ts';
import { type ConsoleBench, direct, freshPage, type FreshPage, stayedAtEnd } from './console-bench.ts';
import { installProbe } from './page-probe.ts';

/** What a page holds, in MB, after everything that is not needed was thrown away. */
interface Held {
  /** Objects of scripts. */
  heapMb: number;
  /** Of the document, as far as the browser counts it with them. */
  documentMb: number;
  nodes: number;
}

/** What was measured after each fifth of the stream. */
export interface MemoryLook {
  /** Blocks of the session so far. */
  blocks: number;
  /** What the log weighs by then, as the JSON that a reader is sent. */
  logMb: number;
  /** The conversation was still at its end. */
  isAtEnd: boolean;
  session: Held;
  home: Held;
  /** A page that opens the session only now: it holds what is to be shown, and nothing from before. */
  opened: Held | undefined;
}

/** An hour in miniature: turns of a minute each. */
export interface Hour {
  turns: number;
  piecesPerTurn: number;
  perSecond: number;
  looks: number;
}

/** One page looks at a session that streams, another one stays on Home. */
export async function measureMemory(
  bench: ConsoleBench,
  { turns, piecesPerTurn, perSecond, looks }: Hour,
): Promise<MemoryLook[]> {
  const sessionId = await newSession(bench, 'An hour');
  const director = await direct(bench, sessionId);
  const [session, home] = [await freshPage(bench), await freshPage(bench)];
  try {
    for (const { page } of [session, home]) await page.addInitScript(installProbe);
    await home.page.goto(bench.hub.url);
    await session.page.goto(`${bench.hub.url}/sessions/${sessionId}`);
    await session.page.locator('[role="log"]').waitFor();
    const seen: MemoryLook[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const from = turn * piecesPerTurn;
      await director.play({ type: 'stream', from, pieces: piecesPerTurn, perSecond });
      if ((turn + 1) % (turns / looks) !== 0) continue;
      const last = `n${from + piecesPerTurn - 1};`;
      const isAtEnd = await stayedAtEnd(session.page, last);
      const isEdge = seen.length === 0 || turn === turns - 1;
      seen.push({
        ...(await weigh(bench, sessionId)),
        isAtEnd,
        session: await heldBy(session),
        home: await heldBy(home),
        opened: isEdge ? await heldByNew(bench, sessionId, last) : undefined,
      });
    }
    return seen;
  } finally {
    director.close();
    await session.close();
    await home.close();
  }
}

async function heldByNew(bench: ConsoleBench, sessionId: string, last: string): Promise<Held> {
  const fresh = await freshPage(bench);
  try {
    await fresh.page.addInitScript(installProbe);
    await fresh.page.goto(`${bench.hub.url}/sessions/${sessionId}`);
    await stayedAtEnd(fresh.page, last);
    return await heldBy(fresh);
  } finally {
    await fresh.close();
  }
}

async function heldBy({ cdp }: FreshPage): Promise<Held> {
  // What is let go of by the first may only be thrown away by the second.
  for (let round = 0; round < 2; round++) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize } = await cdp.send('Runtime.getHeapUsage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const nodes = metrics.find(({ name }) => name === 'Nodes')?.value ?? NaN;
  return { heapMb: usedSize / 1e6, documentMb: embedderHeapUsedSize / 1e6, nodes };
}

/** The log as it is stored now: pieces of what is over are put together there. */
async function weigh({ hub, client }: ConsoleBench, sessionId: string): Promise<{ blocks: number; logMb: number }> {
  const { seq } = await client.getSession({ sessionId });
  const { promise, resolve } = Promise.withResolvers<void>();
  const weight = { blocks: 0, logMb: 0 };
  const reader = await readSession(hub, sessionId, (events) => {
    weight.blocks += events.filter(({ event }) => event.type === 'block-stop').length;
    weight.logMb += JSON.stringify(events).length / 1e6;
    if (events.at(-1)!.seq >= seq) resolve();
  });
  await within(60, 'reading a log', promise).finally(() => reader.close());
  return weight;
}
