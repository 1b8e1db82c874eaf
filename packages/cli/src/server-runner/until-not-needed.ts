import { existsSync } from 'node:fs';
import type { Runner } from '@dragoman/runner';

/** When a process that hosts agents ends by itself, in milliseconds. */
export interface Patience {
  /** Without an agent, while a server is there. */
  idleMs: number;
  /** Without work, while no server is there. */
  aloneMs: number;
  /** With work that nobody asks about. */
  forgottenMs: number;
  lookMs: number;
}

const PATIENCE: Patience = { idleMs: 60_000, aloneMs: 10_000, forgottenMs: 24 * 3_600_000, lookMs: 2_000 };

/**
 * Resolves when a process has no more reason to host agents: none is left, or no server is there and none of them is at work.
 * What waits for an approval is at work; after a day without a server nobody will give it. One whose folder is removed ends at
 * once. One that the server would start otherwise by now leaves to the next in the first moment in which no agent is at work.
 */
export async function untilNotNeeded(
  runner: Pick<Runner, 'isConnected' | 'liveSessions' | 'isBusy'>,
  { folder, signal, isOutdated }: { folder: string; signal: AbortSignal; isOutdated?: () => boolean },
  { idleMs, aloneMs, forgottenMs, lookMs }: Patience = PATIENCE,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let neededAt = performance.now();
  let connectedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const { isConnected, liveSessions, isBusy } = runner;
    if (isConnected) connectedAt = now;
    if (isBusy || (isConnected && liveSessions > 0)) neededAt = now;
    const isIdle = isConnected ? now - neededAt > idleMs : now - Math.max(neededAt, connectedAt) > aloneMs;
    const isReplaced = isConnected && isOutdated?.() === true && !isBusy;
    if (isIdle || isReplaced || now - connectedAt > forgottenMs || !existsSync(folder)) resolve();
  }, lookMs);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearInterval(timer);
}
