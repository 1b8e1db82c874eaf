/** Blobs that were taken in and cannot be found yet, and who waits for them. */
export class WaitingBlobs {
  readonly #waiters = new Map<string, PromiseWithResolvers<void>>();

  has(blobName: string): boolean {
    return this.#waiters.has(blobName);
  }

  add(blobName: string): void {
    const waiter = Promise.withResolvers<void>();
    waiter.promise.catch(() => {}); // Nobody may be waiting.
    this.#waiters.set(blobName, waiter);
  }

  /** What to wait for, for each of the names that is on its way. */
  promisesOf(names: readonly string[]): Promise<void>[] {
    return names.flatMap((name) => this.#waiters.get(name)?.promise ?? []);
  }

  /** These are on their way no more; whoever waits for them does so until the one who took them says how it ended. */
  take(names: readonly string[]): PromiseWithResolvers<void>[] {
    const taken = names.flatMap((name) => this.#waiters.get(name) ?? []);
    for (const name of names) this.#waiters.delete(name);
    return taken;
  }

  /** These can be found now, or could not be taken in. */
  settle(names: readonly string[], error?: Error): void {
    for (const waiter of this.take(names)) {
      if (error === undefined) waiter.resolve();
      else waiter.reject(error);
    }
  }
}
