import { type ConsoleBench, freshPage } from './console-bench.ts';
import type { LongSession } from './measure-opening.ts';
import { installProbe } from './page-probe.ts';

/** How the frames came while somebody scrolled. */
export interface Scrolling {
  frames: number;
  /** Of all frames, those that came later than two of them should. */
  lateShare: number;
  p95Ms: number;
  worstMs: number;
  /** What the page's own thread worked for a frame. */
  cpuMs: number;
}

/** How fast someone scrolls. */
export type ScrollPace =
  /** A part of what is in sight with every frame, as one does who reads. */
  | { type: 'reading'; share: number; frames: number }
  /** From the top to the bottom in so many frames, as one does who looks for a place. */
  | { type: 'through'; frames: number };

const LATE_MS = 33.4;

/** Scrolls through a session from its top and measures the time between two frames. */
export async function measureScrolling(
  bench: ConsoleBench,
  { sessionId, lastWord }: LongSession,
  pace: ScrollPace,
): Promise<Scrolling> {
  const { page, cpuMs, close } = await freshPage(bench);
  try {
    await page.addInitScript(installProbe);
    await page.goto(`${bench.hub.url}/sessions/${sessionId}`);
    await page.waitForFunction((text) => window.probe.isLast(text), lastWord);
    const cpuBefore = await cpuMs();
    const deltas = (await page.evaluate(scroll, pace)).toSorted((one, other) => one - other);
    return {
      frames: deltas.length,
      lateShare: deltas.filter((ms) => ms > LATE_MS).length / deltas.length,
      p95Ms: deltas[Math.floor(deltas.length * 0.95)] ?? NaN,
      worstMs: deltas.at(-1) ?? NaN,
      cpuMs: ((await cpuMs()) - cpuBefore) / deltas.length,
    };
  } finally {
    await close();
  }
}

/** Runs in the page. */
async function scroll(pace: ScrollPace): Promise<number[]> {
  const box = window.probe.scroller();
  if (box === undefined) throw new Error('Nothing scrolls.');
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  box.scrollTop = 0;
  for (let rest = 0; rest < 30; rest++) await frame();
  const deltas: number[] = [];
  let before = await frame();
  for (let left = pace.frames; left > 0; left--) {
    const rest = box.scrollHeight - box.clientHeight - box.scrollTop;
    // How long it is becomes known on the way.
    box.scrollTop += pace.type === 'reading' ? box.clientHeight * pace.share : rest / left;
    const now = await frame();
    deltas.push(now - before);
    before = now;
  }
  return deltas;
}
