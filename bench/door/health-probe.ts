import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 3;

/** A thread of its own: asks for `/health` all the time, and tells the longest it waited since it was last asked. */
const { url } = workerData as { url: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longestMs = 0;
let askedAt: number | undefined;

parentPort!.on('message', () => {
  // One that is not answered yet has waited at least that long.
  parentPort!.postMessage(Math.max(longestMs, askedAt === undefined ? 0 : performance.now() - askedAt));
  longestMs = 0;
});

for (;;) {
  askedAt = performance.now();
  await new Promise<void>((resolve) => {
    get(`${url}/health`, { agent }, (response) => response.resume().once('close', resolve)).once('error', () =>
      resolve(),
    );
  });
  longestMs = Math.max(longestMs, performance.now() - askedAt);
  askedAt = undefined;
  await pause(EVERY_MS);
}
