import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import type { DataFolder } from '../config/data-folder.ts';
import { judgeHolder, type PassingState } from './judge-holder.ts';
import { type LockNote, lockText, type ReadLock, readLock } from './lock-note.ts';
import { newLockSecret } from './lock-proof.ts';
import { identifyProcess } from './process-identity.ts';
import { ServerLock } from './server-lock.ts';
import { ServerRunsError } from './server-runs-error.ts';
import { swapLock } from './swap-lock.ts';

const POLL_MS = 50;
/** Where servers come and go without end, somebody should have a look. */
const ENDLESS_MS = 300_000;

/** How long a holder may stay in a state that is not a clear one; then the lock is taken from it. */
export type Patience = Readonly<Record<PassingState, number>>;

const PATIENCE: Patience = { starting: 30_000, stopping: 60_000, silent: 20_000 };

/** Who wants to serve a data folder. */
export interface ClaimOptions {
  folder: DataFolder;
  note: Pick<LockNote, 'startedAt' | 'version'>;
  /** Ends the waiting. */
  signal: AbortSignal;
  /** Called once for each holder and state that is waited for, and with how long at most. */
  onWait?: (holder: LockNote, state: PassingState, patienceMs: number) => void;
  patience?: Patience;
  /** How often a holder looks whether the lock is still its own. */
  lookMs?: number;
}

/**
 * Takes the data folder for this server alone: of any number that start at once, exactly one gets it.
 *
 * Who comes second waits until it is clear what becomes of the first, and is told where it is (`ServerRunsError`). The
 * lock of one that is gone is taken over, and of one that does not answer for too long; that one notices when it comes
 * back, and ends.
 */
export async function claimServerLock(options: ClaimOptions): Promise<ServerLock> {
  const { folder, signal, onWait, patience = PATIENCE } = options;
  const mine: LockNote = { ...identifyProcess(process.pid), ...options.note, secret: newLockSecret() };
  const began = performance.now();
  let waiting: { key: string; since: number } | undefined;
  for (;;) {
    signal.throwIfAborted();
    const held = orRefuse(folder, () => readLock(folder.lockFile));
    if (held?.note !== undefined) {
      const { note, text } = held;
      const holder = await judgeHolder(note);
      if (holder.state === 'running') throw new ServerRunsError(folder.path, { url: holder.url, pid: note.pid });
      if (holder.state !== 'gone' && !isLeftBehind(held, holder.state, patience)) {
        const key = `${holder.state} ${text}`;
        if (waiting?.key !== key) {
          waiting = { key, since: performance.now() };
          onWait?.(note, holder.state, patience[holder.state]);
        }
        if (performance.now() - began > ENDLESS_MS) throw endless(folder, note);
        if (performance.now() - waiting.since < patience[holder.state]) {
          await delay(POLL_MS, undefined, { signal });
          continue;
        }
      }
    }
    if (orRefuse(folder, () => swapLock(folder.lockFile, held?.text, lockText(mine))))
      return new ServerLock(folder, mine, options.lookMs);
  }
}

/** Who began to start long ago and still has no address is not at it any more: its number is another program's by now. */
function isLeftBehind({ writtenAt }: ReadLock, state: PassingState, patience: Patience): boolean {
  return state === 'starting' && Date.now() - writtenAt > patience.starting;
}

function endless(folder: DataFolder, { pid }: LockNote): DragomanError {
  return new DragomanError(
    'data-folder',
    `Servers keep starting on the data folder ${folder.path}: one after another for ${ENDLESS_MS / 1000} seconds, now process ${pid}. Find out what starts them, or set DRAGOMAN_HOME to another folder.`,
  );
}

/** A lock that cannot be read or written is a folder that cannot be used. */
function orRefuse<Result>(folder: DataFolder, attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    throw new DragomanError(
      'data-folder',
      `The lock ${folder.lockFile} cannot be used: ${error instanceof Error ? error.message : String(error)}. Make sure that the data folder is writable and the lock file is yours, or set DRAGOMAN_HOME to another folder.`,
      { cause: error },
    );
  }
}
