import type { McpStatus } from './mcp-status.ts';

/** How a server is doing, and who waits until an attempt to connect to it is over. */
export class WatchedStatus {
  readonly #onChange: () => void;
  readonly #waiting = new Set<() => void>();
  #current: McpStatus;

  constructor(first: McpStatus, onChange: () => void) {
    this.#current = first;
    this.#onChange = onChange;
  }

  get current(): McpStatus {
    return this.#current;
  }

  set(status: McpStatus): void {
    this.#current = status;
    if (status.state !== 'connecting') this.wake();
    this.#onChange();
  }

  /** Nobody is to wait any longer. */
  wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Waits until the attempt under way is over, for a while. */
  async settled(limitMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limitMs);
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
