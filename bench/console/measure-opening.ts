import { newSession } from '../hub/bench-session.ts';
import { type ConsoleBench, direct, freshPage, type FreshPage } from './console-bench.ts';
import { installProbe } from './page-probe.ts';

/** A session that is long. */
export interface LongSession {
  sessionId: string;
  title: string;
  lastWord: string;
}

/** How a long session is opened. */
export interface Opening {
  /** For the first time since the console was loaded, its page among it. */
  firstMs: number;
  /** Again, from another page, when it was looked at before. */
  againMs: number;
  /** What the page's own thread worked for the first. */
  firstCpuMs: number;
  hubCpuMs: number;
}

/** Makes a session of so many blocks through the hub as every other one: a prompt is one block, and the rest of its turn is the agent's. */
export async function makeLongSession(
  bench: ConsoleBench,
  { blocks, turns, title }: { blocks: number; turns: number; title: string },
): Promise<LongSession> {
  const sessionId = await newSession(bench, title);
  const director = await direct(bench, sessionId);
  const lastWord = `That was the last word of ${title}.`;
  try {
    for (let turn = 1; turn <= turns; turn++)
      await director.play({
        type: 'conversation',
        blocks: Math.floor(blocks / turns) - 1,
        lastWord: turn === turns ? lastWord : 'That was all.',
      });
  } finally {
    director.close();
  }
  return { sessionId, title, lastWord };
}

/**
 * From the click on a session in the list until its last block is on the screen, the conversation is at its end, that
 * frame is painted and the page is free to answer.
 */
export async function measureOpening(bench: ConsoleBench, session: LongSession): Promise<Opening> {
  const fresh = await freshPage(bench);
  try {
    await fresh.page.addInitScript(installProbe);
    await fresh.page.goto(`${bench.hub.url}/sessions`);
    const [cpuBefore, hubBefore] = [await fresh.cpuMs(), bench.hub.cpuMs()];
    const firstMs = await open(fresh, session);
    const [firstCpuMs, hubCpuMs] = [(await fresh.cpuMs()) - cpuBefore, bench.hub.cpuMs() - hubBefore];
    await fresh.page.locator('nav a[href="/sessions"]').first().click();
    return { firstMs, firstCpuMs, hubCpuMs, againMs: await open(fresh, session) };
  } finally {
    await fresh.close();
  }
}

async function open({ page }: FreshPage, { sessionId, lastWord }: LongSession): Promise<number> {
  const link = page.locator(`a[href="/sessions/${sessionId}"]`).first();
  await link.waitFor();
  const took = page.evaluate(async (text) => {
    const clickedAt = await new Promise<number>((resolve) =>
      addEventListener('click', () => resolve(performance.now()), { capture: true, once: true }),
    );
    return (await window.probe.shownAt(() => window.probe.isLast(text))) - clickedAt;
  }, lastWord);
  await link.click();
  return took;
}
