import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Late enough for a first visitor to have been served, and for the next of several large bodies to come. */
const AFTER_MS = 1_500;
let timer: NodeJS.Timeout | undefined;
/** What the process had after the last time. */
let settledBytes = 0;

/**
 * Starting up leaves a heap much larger than what is kept of it, and so does a large body, and an idle process gives
 * nothing back by itself: one thorough collection does. It takes up to a tenth of a second, when nothing has asked for
 * it for a while; where the process has not grown by so many bytes since the last time, it is spared.
 */
export function settleMemory(grownBytes = 0): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (process.memoryUsage.rss() < settledBytes + grownBytes) return;
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as (options: Record<string, string>) => void;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    settledBytes = process.memoryUsage.rss();
  }, AFTER_MS).unref();
}
