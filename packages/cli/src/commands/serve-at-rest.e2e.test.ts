import { readdirSync, readFileSync } from 'node:fs';
import { serveDragoman } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';

const WINDOW_MS = 4_000;

/** How often the threads of a process waited for something and were woken. */
function wakes(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))
    .reduce((sum, status) => sum + Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)![1]), 0);
}

test.runIf(process.platform === 'linux')(
  'a server with an open hub and nothing to do wakes up less than five times a second (needs Linux)',
  async () => {
    const server = await serveDragoman();
    onTestFinished(() => server.stop().then(() => {}));
    await fetch(`${server.url}/api/sessions`, { headers: { authorization: `Bearer ${server.token}` } });
    const pid = server.process.pid!;
    let last = { at: performance.now(), count: wakes(pid) };
    const perSecond = () => {
      const next = { at: performance.now(), count: wakes(pid) };
      const [count, ms] = [next.count - last.count, next.at - last.at];
      if (ms < WINDOW_MS / 2) return Infinity; // Too short to tell.
      last = next;
      return (1_000 * count) / ms;
    };

    // What is left of the start comes to rest first.
    await expect.poll(perSecond, { interval: WINDOW_MS, timeout: 90_000 }).toBeLessThan(5);
  },
);
