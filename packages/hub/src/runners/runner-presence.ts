import { DragomanError, isTerminalRunner } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import type { HubTables } from '../hub-tables.ts';
import type { LiveProcesses } from '../processes/live-processes.ts';

/** A runner that is connected here tells so in the database this often. */
export const SIGN_OF_LIFE_MS = 15_000;
/** Without a sign for so long a runner is away whose process tells nothing else: a terminal with SQLite, or an older program. */
const AWAY_AFTER_MS = 40_000;

/** What is stored of a runner that says whether it is there. */
type Stored = Pick<HubTables['hub_runners'], 'id' | 'last_seen_at' | 'connected_to'>;

/** What is known beforehand of the runner of this machine. */
export interface LocalRunner {
  /** Where the server has one already: sessions start there unless another is named. */
  localRunnerId?: string | undefined;
  /** How long it may take from one process to the next; it is not away meanwhile. */
  handoverMs?: number | undefined;
}

/**
 * Which runners are connected.
 *
 * Those whose stream is open in this process are known for certain. Where several processes share a PostgreSQL, the row says which
 * of them has the stream, and it counts as long as that one lives. With SQLite there are terminals, which have a process of
 * their own: they are known by their signs of life in the table, and by what their process tells when they leave. News may come
 * late or not at all, so a sign of life after it counts more.
 */
export class RunnerPresence {
  /** When this hub was opened. */
  readonly openedAt: number;
  /** The runner of the machine that this process is on, where it has one. */
  localRunnerId: string | undefined;
  readonly handoverMs: number;
  readonly #here = new Map<string, AbortController>();
  /** When a runner was told to have left. */
  readonly #left = new Map<string, number>();
  #isClosed = false;
  readonly #isShared: boolean;
  readonly #now: () => number;

  readonly #processes: Pick<LiveProcesses, 'id' | 'isAlive' | 'met'>;

  constructor(
    engine: StoreEngine,
    now: () => number,
    processes: Pick<LiveProcesses, 'id' | 'isAlive' | 'met'>,
    local: LocalRunner = {},
  ) {
    this.#isShared = engine === 'postgres';
    this.#now = now;
    this.openedAt = now();
    this.#processes = processes;
    this.localRunnerId = local.localRunnerId;
    this.handoverMs = local.handoverMs ?? 0;
    if (local.localRunnerId !== undefined) this.#left.set(local.localRunnerId, this.openedAt);
  }

  /** Whether its stream is open here. */
  has(runnerId: string): boolean {
    return this.#here.has(runnerId);
  }

  /** Whether the runner of this machine has just left: it goes from one process to another, and is back in a moment. */
  isHandedOver(runnerId: string): boolean {
    const leftAt = runnerId === this.localRunnerId ? this.#left.get(runnerId) : undefined;
    return leftAt !== undefined && this.#now() - leftAt < this.handoverMs;
  }

  /** Names this process among those that share the database. */
  get processId(): string {
    return this.#processes.id;
  }

  /** Whether commands would reach it now. */
  isConnected({ id, last_seen_at, connected_to }: Stored): boolean {
    if (this.#here.has(id) || this.isHandedOver(id)) return true;
    // What was here and is not has left, whatever its row says until that is written.
    if (connected_to !== null) return connected_to !== this.processId && this.#processes.isAlive(connected_to);
    return (
      (this.#isShared || isTerminalRunner(id)) &&
      last_seen_at > Math.max(this.#now() - AWAY_AFTER_MS, this.#left.get(id) ?? 0)
    );
  }

  /** Notes an open stream, and ends the one before it: a runner that connects again has lost the old one. */
  enter(runnerId: string, stream: AbortController): void {
    if (this.#isClosed) throw closing();
    this.#here.get(runnerId)?.abort(connectedAnew(runnerId));
    this.#here.set(runnerId, stream);
    this.#left.delete(runnerId);
  }

  /** Notes that a stream has ended; false where a newer one has taken its place. */
  leave(runnerId: string, stream: AbortController): boolean {
    if (this.#here.get(runnerId) !== stream) return false;
    this.#here.delete(runnerId);
    this.#left.set(runnerId, this.#now());
    return true;
  }

  /** What another process tells. One that connected there has not left, whatever becomes of its stream here. */
  heardOf(runnerId: string, isConnected: boolean, from: string): void {
    this.#processes.met(from);
    const stream = this.#here.get(runnerId);
    if (isConnected) {
      this.#left.delete(runnerId);
      this.#here.delete(runnerId);
      stream?.abort(connectedAnew(runnerId));
    } else if (stream === undefined) this.#left.set(runnerId, this.#now());
  }

  /** Whether the hub is closing: who leaves now is not away. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends every stream. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#here.values()) stream.abort(closing());
  }
}

function connectedAnew(runnerId: string): DragomanError {
  return new DragomanError('conflict', `The machine ${runnerId} has connected anew.`, { isRetryable: true });
}

function closing(): DragomanError {
  return new DragomanError('unavailable', 'The hub is closing; connect again.', { isRetryable: true });
}
