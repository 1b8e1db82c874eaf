/**
 * Hears what is told on a channel. `undefined` means that something may have been missed: the connection to the database
 * was lost and is back.
 */
export type ChannelListener = (payload: string | undefined) => void;

/** A way for the processes that share a database to tell each other that something is there to be read. */
export interface StoreChannel {
  /** Tells everyone who listens, in this process too. The text is at most 7,900 bytes. */
  notify(payload: string): Promise<void>;
  close(): Promise<void>;
}

/** Channels of a database that only this process works with. */
export class LocalChannels {
  readonly #listeners = new Map<string, Set<ChannelListener>>();

  async open(name: string, listener: ChannelListener): Promise<StoreChannel> {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return {
      async notify(payload) {
        for (const each of listeners) each(payload);
      },
      async close() {
        listeners.delete(listener);
      },
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}
