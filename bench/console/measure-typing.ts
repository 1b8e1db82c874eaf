import { newSession } from '../hub/bench-session.ts';
import type { Latencies } from '../hub/measure-first-token.ts';
import { type ConsoleBench, direct, freshPage } from './console-bench.ts';

/** How late a key is on the screen, in ms, sorted: from the event of the key to the end of the frame that shows it. */
export interface Typing {
  whileIdle: Latencies;
  whileStreaming: Latencies;
}

/** A person types into the prompt of a session, first while nothing happens, then while its answer streams. */
export async function measureTyping(
  bench: ConsoleBench,
  { keys, perSecond, pauseMs }: { keys: number; perSecond: number; pauseMs: number },
): Promise<Typing> {
  const sessionId = await newSession(bench, 'Typing');
  const director = await direct(bench, sessionId);
  const { page, close } = await freshPage(bench);
  try {
    await page.goto(`${bench.hub.url}/sessions/${sessionId}`);
    const box = page.locator('textarea');
    await box.waitFor();
    await director.play({ type: 'stream', from: 1_000_000, pieces: perSecond * 3, perSecond }); // What is fast later is compiled here.
    const noted = await page.evaluateHandle(noteKeys);
    const typeOn = async () => {
      await box.fill('');
      await box.pressSequentially('a word '.repeat(Math.ceil(keys / 7)), { delay: pauseMs });
      return (await noted.evaluate((times) => times.splice(0))).toSorted((one, other) => one - other);
    };
    const whileIdle = await typeOn();
    const seconds = Math.ceil((keys * pauseMs * 2) / 1_000) + 5;
    const streaming = director.play({ type: 'stream', from: 0, pieces: perSecond * seconds, perSecond });
    const whileStreaming = await typeOn();
    await streaming;
    return { whileIdle, whileStreaming };
  } finally {
    director.close();
    await close();
  }
}

/** Runs in the page: how long after each key its frame was over. */
function noteKeys(): number[] {
  const times: number[] = [];
  addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => times.push(performance.now() - timeStamp);
        channel.port2.postMessage(undefined);
      }),
    { capture: true },
  );
  return times;
}
