import { DragomanError } from '@dragoman/protocol/error';
import { type Clock, pause } from './clock.ts';

/** The waits between tries; a server that names a time of its own gets that, within reason. */
const BACK_OFF_MS = [500, 1_000, 2_000, 4_000];
const MAX_WAIT_MS = 60_000;

/** Tries again while the failure is one that may pass by itself. The last failure is thrown. */
export async function retryPassing<Result>(
  attempt: () => Promise<Result>,
  { clock, signal, onRetry }: { clock: Clock; signal: AbortSignal; onRetry?: (error: DragomanError) => void },
): Promise<Result> {
  for (const backOffMs of BACK_OFF_MS) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      onRetry?.(error);
      await pause(clock, Math.min(error.retryAfterMs ?? backOffMs, MAX_WAIT_MS), signal);
      if (signal.aborted) throw error;
    }
  }
  return attempt();
}

export function isPassing(error: unknown): error is DragomanError {
  return error instanceof DragomanError && error.isRetryable;
}
