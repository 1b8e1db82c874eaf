import type { LoggedHubEvent } from '@dragoman/protocol';
import { newSession } from '../hub/bench-session.ts';
import type { Latencies } from '../hub/measure-first-token.ts';
import { type ConsoleBench, direct, freshPage, stayedAtEnd } from './console-bench.ts';
import { installProbe } from './page-probe.ts';

/** How late pieces are on the screen, in ms, sorted. */
export interface Deltas {
  /** After another reader of the same hub was given the piece: the hub writes to both in the same moment. */
  afterHub: Latencies;
  /** After the agent said it: with the way from the runner, and the hub's disk. */
  afterSaid: Latencies;
  /** The conversation is still at its end when it is over. */
  staysAtEnd: boolean;
  /** Share of one core that the page's own thread took. */
  pageCpu: number;
}

/** A number of a piece; see `talking-agent.ts`. */
const NUMBER = /n(\d+);/g;

/**
 * Many sessions stream at once, and one of them is looked at. A piece is on the screen when the document has it: an observer
 * in the page notes the time right after each change. All clocks are that of the machine, in whole ms.
 */
export async function measureDeltas(
  bench: ConsoleBench,
  { sessions, perSecond, seconds }: { sessions: number; perSecond: number; seconds: number },
): Promise<Deltas> {
  const ids: string[] = [];
  for (let index = 0; index < sessions; index++) ids.push(await newSession(bench, `Streaming ${index}`));
  const [watched, ...others] = ids as [string, ...string[]];
  const script = { type: 'stream', from: 0, pieces: perSecond * seconds, perSecond } as const;
  const told = new Map<number, { hubAt: number; saidAt: number }>();
  const director = await direct(bench, watched, (events) => noteTold(told, events));
  const { page, cpuMs, close } = await freshPage(bench);
  try {
    await page.addInitScript(installProbe);
    await page.goto(`${bench.hub.url}/sessions/${watched}`);
    await page.locator('[role="log"]').waitFor();
    const warmUp = { ...script, from: 1_000_000, pieces: perSecond * 3 };
    await director.play(warmUp); // What is fast later is compiled here.
    const seen = await page.evaluateHandle(noteSeen);
    for (const id of others)
      await bench.client.sendPrompt({ sessionId: id, text: JSON.stringify({ ...script, pieces: script.pieces * 2 }) });
    const [cpuBefore, begin] = [await cpuMs(), performance.now()];
    await director.play(script);
    const pageCpu = ((await cpuMs()) - cpuBefore) / (performance.now() - begin);
    const staysAtEnd = await stayedAtEnd(page, `n${script.pieces - 1};`);
    const shown = new Map(await seen.evaluate((times) => [...times]));
    return { ...compare(told, shown, script.pieces), staysAtEnd, pageCpu };
  } finally {
    director.close();
    for (const id of others) await bench.client.cancelTurn({ sessionId: id });
    await close();
  }
}

/** When a piece was first told, and when it was said. Pieces may come together, and a whole block repeats its pieces. */
function noteTold(told: Map<number, { hubAt: number; saidAt: number }>, events: readonly LoggedHubEvent[]): void {
  const hubAt = Date.now();
  for (const { at, event } of events)
    for (const [, number] of textIn(event).matchAll(NUMBER))
      if (!told.has(Number(number))) told.set(Number(number), { hubAt, saidAt: at });
}

function textIn(event: LoggedHubEvent['event']): string {
  if (event.type === 'block-delta') return event.delta;
  const isBlock = event.type === 'block-start' || event.type === 'block-stop';
  return isBlock && event.block.type === 'text' ? event.block.text : '';
}

/** Runs in the page: when each number was first in the document. */
function noteSeen(): Map<number, number> {
  const seen = new Map<number, number>();
  const observer = new MutationObserver((changes) => {
    const now = Date.now();
    const texts = new Set<string>();
    for (const { type, target, addedNodes } of changes) {
      if (type === 'characterData') texts.add(target.nodeValue ?? '');
      else for (const node of addedNodes) texts.add(node.textContent ?? '');
    }
    for (const text of texts)
      for (const [, number] of text.matchAll(/n(\d+);/g)) if (!seen.has(Number(number))) seen.set(Number(number), now);
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  return seen;
}

function compare(
  told: ReadonlyMap<number, { hubAt: number; saidAt: number }>,
  shown: ReadonlyMap<number, number>,
  pieces: number,
): Pick<Deltas, 'afterHub' | 'afterSaid'> {
  const [afterHub, afterSaid]: [number[], number[]] = [[], []];
  for (let number = 0; number < pieces; number++) {
    const from = told.get(number);
    if (from === undefined) continue; // It was thought, and is not numbered.
    const at = shown.get(number);
    if (at === undefined) throw new Error(`Piece ${number} of ${pieces} was never shown`);
    afterHub.push(at - from.hubAt);
    afterSaid.push(at - from.saidAt);
  }
  const sorted = (values: number[]) => values.toSorted((one, other) => one - other);
  return { afterHub: sorted(afterHub), afterSaid: sorted(afterSaid) };
}
