import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import type { Client } from 'pg';
import { type ChannelListener, MAX_PAYLOAD_BYTES, type StoreChannel } from './store-channel.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const QUERY_TIMEOUT_MS = 10_000;
/** A connection whose other end is gone says nothing of it, so it is asked now and then. */
const CHECK_EVERY_MS = 20_000;
const MAX_WAIT_MS = 5_000;

/**
 * LISTEN and NOTIFY of PostgreSQL, over one connection that is opened when the first channel is.
 *
 * A connection that breaks is opened again; what was told in between is lost, which the listeners hear.
 */
export class PostgresChannels {
  readonly #url: string;
  readonly #onIdleError: (error: Error) => void;
  readonly #listeners = new Map<string, Set<ChannelListener>>();
  readonly #closing = new AbortController();
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, onIdleError: (error: Error) => void) {
    this.#url = url;
    this.#onIdleError = onIdleError;
  }

  async open(name: string, listener: ChannelListener): Promise<StoreChannel> {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    try {
      const client = await this.#connected();
      await client.query(`listen ${client.escapeIdentifier(name)}`);
    } catch (error) {
      listeners.delete(listener);
      throw error;
    }
    return {
      notify: async (payload) => {
        const bytes = Buffer.byteLength(payload);
        if (bytes > MAX_PAYLOAD_BYTES)
          throw new DragomanError(
            'too-large',
            `A notification of ${bytes} bytes is too large; the limit is ${MAX_PAYLOAD_BYTES}.`,
          );
        const sender = await this.#connected();
        await sender.query('select pg_notify($1, $2)', [name, payload]);
      },
      close: async () => {
        listeners.delete(listener);
      },
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    this.#listeners.clear();
    const client = this.#client ?? (await this.#connecting?.catch(() => undefined));
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  #connected(): Promise<Client> {
    if (this.#closing.signal.aborted) return Promise.reject(closed());
    if (this.#client !== undefined) return Promise.resolve(this.#client);
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #connect(): Promise<Client> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'dragoman channels',
    });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#listeners.get(channel) ?? []) listener(payload ?? '');
    });
    try {
      await client.connect();
      for (const name of this.#listeners.keys()) await client.query(`listen ${client.escapeIdentifier(name)}`);
      if (this.#closing.signal.aborted) throw closed();
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#timer ??= setInterval(() => {
      this.#client?.query('select 1').catch((error: Error) => this.#client?.emit('error', error));
    }, CHECK_EVERY_MS).unref();
    return client;
  }

  #lose(client: Client, error?: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (this.#closing.signal.aborted) return;
    if (error !== undefined) this.#onIdleError(error);
    client.end().catch(() => {});
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing;
    for (let wait = 50; !signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        await this.#connected();
        for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
        return;
      } catch {
        await delay(wait, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }
}

function closed(): DragomanError {
  return new DragomanError('unavailable', 'The store is closed; nothing more can be told.');
}
