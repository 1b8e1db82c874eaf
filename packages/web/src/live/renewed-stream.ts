import { DragomanError, followStream, openEvents, type HubSend, type ServerEvent } from '@dragoman/protocol';
import type { LiveState } from './live-message.ts';

/** A browser has one stream, so it can ask often: who looks at the page sees the server within seconds of its start. */
const TIMES = { silenceMs: 40_000, firstRetryMs: 500, maxRetryMs: 3_000 };

/** What is followed, and who is told. */
export interface RenewedStreamOptions {
  send: HubSend;
  /** The address of what is wanted now, from where it is known up to. */
  path: () => string;
  /** Differs where a stream that is open does not tell all that is wanted, or more; undefined where nothing is. */
  version: () => number | undefined;
  receive: (event: ServerEvent) => void;
  onState: (state: LiveState) => void;
  /** It is no use to ask again, until something else is wanted. */
  onOver: (error: DragomanError) => void;
}

interface Connection {
  state: LiveState;
  version: number | undefined;
  ending: AbortController;
}

/**
 * A stream whose address changes with what is wanted.
 *
 * Another one is opened before the last is let go, so nothing is missed in between; what both of them tell is the receiver's to
 * recognise.
 */
export class RenewedStream {
  readonly #options: RenewedStreamOptions;
  readonly #connections = new Set<Connection>();
  readonly #nudges = new Set<() => void>();
  #newest: Connection | undefined;
  #told: LiveState | undefined;

  constructor(options: RenewedStreamOptions) {
    this.#options = options;
  }

  /** How it is doing now. */
  get state(): LiveState {
    if ([...this.#connections].some(({ state }) => state === 'live')) return 'live';
    return this.#newest?.state ?? 'connecting';
  }

  /** Something else may be wanted. One that is being opened, or waits to be, is looked at again when it is there. */
  update(): void {
    const version = this.#options.version();
    if (version === undefined) return this.close();
    const isOld = this.#newest?.state === 'live' && this.#newest.version !== version;
    if (this.#newest === undefined || isOld) this.#open();
  }

  /** Lets go of what is open and begins anew, as somebody else. */
  restart(): void {
    this.close();
    this.update();
  }

  /** The network is back: what waits tries again now, and what looks dead is opened anew. */
  hurry(): void {
    for (const nudge of this.#nudges) nudge();
  }

  close(): void {
    for (const { ending } of this.#connections) ending.abort();
    this.#connections.clear();
    this.#newest = this.#told = undefined;
  }

  #open(): void {
    const { send, path, version, receive } = this.#options;
    const connection: Connection = { state: 'connecting', version: undefined, ending: new AbortController() };
    this.#newest = connection;
    this.#connections.add(connection);
    followStream({
      open: (signal) => {
        connection.version = version();
        return openEvents(send, path(), signal);
      },
      decode: (event) => event,
      receive: (event) => {
        if (this.#connections.has(connection)) receive(event);
      },
      onState: ({ type }) => this.#noteState(connection, type),
      signal: connection.ending.signal,
      times: TIMES,
      nudges: this.#nudges,
    }).catch((error: unknown) => this.#noteEnd(connection, error));
  }

  #noteState(connection: Connection, state: LiveState): void {
    if (!this.#connections.has(connection)) return;
    connection.state = state;
    if (state === 'live' && connection === this.#newest) {
      for (const other of this.#connections) {
        if (other === connection) continue;
        this.#connections.delete(other);
        other.ending.abort();
      }
      this.#tell();
      this.update();
    } else this.#tell();
  }

  #tell(): void {
    if (this.state === this.#told) return;
    this.#told = this.state;
    this.#options.onState(this.#told);
  }

  #noteEnd(connection: Connection, error: unknown): void {
    if (!this.#connections.delete(connection) || connection !== this.#newest) return;
    this.close();
    this.#options.onOver(
      error instanceof DragomanError
        ? error
        : new DragomanError('internal', 'The stream could not be read.', { cause: error }),
    );
  }
}
