import { askHealth } from './ask-health.ts';
import type { LockNote } from './lock-note.ts';
import { isProcessAlive } from './process-identity.ts';

/** A state that has some time to become a clear one. */
export type PassingState = 'starting' | 'stopping' | 'silent';

/** What became of whoever holds a lock. One that is gone leaves it to others at once. */
export type HolderState = { state: 'running'; url: string } | { state: 'gone' | PassingState };

/**
 * Judges by the process first and by its answer then: after a crash the number may belong to another program, and the
 * address to another server. A server says that it stops before it closes its door, so one where nobody listens and
 * whose lock says nothing of that is gone.
 */
export async function judgeHolder({ pid, birth, url, secret, isStopping }: LockNote): Promise<HolderState> {
  // In a container, the number of a server that was killed is often that of the next one.
  if (pid === process.pid || !isProcessAlive({ pid, birth })) return { state: 'gone' };
  if (isStopping === true) return { state: 'stopping' };
  if (url === undefined) return { state: 'starting' };
  switch (await askHealth({ url, secret })) {
    case 'well':
      return { state: 'running', url };
    case 'silent':
      return { state: 'silent' };
    case 'other':
    case 'nobody':
      return { state: 'gone' };
  }
}
