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

/** PostgreSQL refuses 8,000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_900;
