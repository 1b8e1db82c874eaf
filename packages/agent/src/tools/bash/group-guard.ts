import { signalGroup, stopGroup } from './process-group.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Remembers the process groups that were started here, so that none outlives this process.
 *
 * While there are any it listens for the end of the process. A signal that nobody else handles would end it without a
 * word, so then the groups are killed first; where somebody handles it, the end is theirs, and `exit` follows. Against
 * SIGKILL nothing helps but a sandbox that ends with its parent.
 */
export class GroupGuard {
  readonly #groups = new Set<number>();
  readonly #onExit = () => this.killAll();
  readonly #onSignal = (signal: NodeJS.Signals) => this.#endBy(signal);

  /** The group of a process that has just been started. */
  add(pid: number): void {
    if (this.#groups.size === 0) this.#listen();
    this.#groups.add(pid);
  }

  /** Its first process has ended. What it left running is still watched; groups that are gone are forgotten. */
  release(): void {
    for (const pid of this.#groups) if (!signalGroup(pid, 0)) this.#groups.delete(pid);
    if (this.#groups.size === 0) this.#unlisten();
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
    this.#unlisten();
  }

  #listen(): void {
    process.on('exit', this.#onExit);
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  #unlisten(): void {
    process.off('exit', this.#onExit);
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  #endBy(signal: NodeJS.Signals): void {
    if (process.listenerCount(signal) > 1) return;
    this.killAll();
    process.kill(process.pid, signal);
  }
}
