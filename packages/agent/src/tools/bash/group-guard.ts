import { isGroupRunning, signalGroup, stopGroup } from './process-group.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Those that have something to guard. They share their listeners, so that each can tell whether others listen too. */
const watching = new Set<GroupGuard>();

/**
 * Remembers the process groups that were started here, so that none outlives this process.
 *
 * While there are any it listens for the end of the process. A signal that nobody else handles would end it without a
 * word, so then the groups are killed first; where somebody handles it, the end is theirs, and `exit` follows. What has
 * left its group (`setsid`), and what runs on when we are killed outright, is known by its mark (`guardMarked`).
 */
export class GroupGuard {
  readonly #groups = new Set<number>();

  /** The group of a process that has just been started. */
  add(pid: number): void {
    this.#groups.add(pid);
    if (watching.size === 0) listen();
    watching.add(this);
  }

  /** A first process has ended. What it left running is still watched; groups that are gone are forgotten. */
  release(): void {
    for (const pid of this.#groups) if (!isGroupRunning(pid)) this.#groups.delete(pid);
    if (this.#groups.size === 0) this.#rest();
  }

  /** Ends all groups, first politely. */
  async stopAll(graceMs: number): Promise<void> {
    await Promise.all([...this.#groups].map((pid) => stopGroup(pid, graceMs)));
    this.release();
  }

  /** Ends all groups at once, for when there is no time left. */
  killAll(): void {
    for (const pid of this.#groups) signalGroup(pid, 'SIGKILL');
    this.#groups.clear();
    this.#rest();
  }

  #rest(): void {
    watching.delete(this);
    if (watching.size === 0) unlisten();
  }
}

function listen(): void {
  process.on('exit', killAll);
  for (const signal of SIGNALS) process.on(signal, endBy);
}

function unlisten(): void {
  process.off('exit', killAll);
  for (const signal of SIGNALS) process.off(signal, endBy);
}

function killAll(): void {
  for (const guard of watching) guard.killAll();
}

function endBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.kill(process.pid, signal);
}
