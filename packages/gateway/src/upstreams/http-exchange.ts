import type { IncomingHttpHeaders } from 'node:http';
import type { Agent, Dispatcher } from 'undici';

export interface HttpSent {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
  method: 'GET' | 'POST' | 'DELETE';
  firstByteMs: number;
  idleMs: number;
}

/** Who reads an answer's bytes. */
interface BytesReader {
  /** What one read of the connection brought, in however many pieces the provider had sent it. */
  data(bytes: Buffer): void;
  end(): void;
  error(error: Error): void;
}

/** An answer whose head has come. Its bytes are pushed to one reader, with plain calls. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  read(reader: BytesReader): void;
  pause(): void;
  resume(): void;
  /** Gives the rest of it up. */
  abort(): void;
}

/**
 * One request on undici's own handler interface: no stream object and no promise stands between the socket and the reader,
 * which at thousands of pieces a second is a good part of the cost.
 */
export function exchange(agent: Agent, sent: HttpSent, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(sent.url);
    const handler = new ExchangeHandler(resolve, reject, signal);
    const options: Dispatcher.DispatchOptions = {
      origin,
      path: pathname + search,
      method: sent.method,
      headers: sent.headers,
      body: sent.body,
      headersTimeout: sent.firstByteMs,
      bodyTimeout: sent.idleMs,
    };
    agent.dispatch(options, handler);
  });
}

/** Has happened already: what waits for it runs next, before anything else is read. */
const SOON = Promise.resolve();

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: BytesReader | undefined;
  /** What came and was not handed to the reader yet. */
  #pieces: Buffer[] = [];
  #end: 'end' | Error | undefined;
  #isFlushing = false;

  constructor(resolve: (answer: HttpAnswer) => void, reject: (error: Error) => void, signal: AbortSignal) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
  }

  readonly #abort = (): void => this.#controller?.abort(new DOMException('The client disconnected.', 'AbortError'));

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#abort();
    else this.#signal.addEventListener('abort', this.#abort);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#resolve({
      status,
      headers,
      read: (reader) => this.#attach(reader),
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      abort: () => controller.abort(new Error('given up')),
    });
  }

  /**
   * A provider that is fast has many small pieces in one read. All of them are handed on together, when undici has taken the
   * read apart: a write to the client costs more than everything else that is done for a piece.
   */
  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#pieces.push(bytes);
    if (this.#reader === undefined || this.#isFlushing) return;
    this.#isFlushing = true;
    void SOON.then(this.#flush);
  }

  onResponseEnd(): void {
    this.#leave();
    this.#end = 'end';
    this.#flush();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#leave();
    this.#reject(error); // Does nothing once the head has come.
    this.#end = error;
    this.#flush();
  }

  #attach(reader: BytesReader): void {
    this.#reader = reader;
    this.#flush();
  }

  readonly #flush = (): void => {
    this.#isFlushing = false;
    const reader = this.#reader;
    if (reader === undefined) return;
    const pieces = this.#pieces;
    if (pieces.length > 0) {
      this.#pieces = [];
      try {
        reader.data(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
      } catch (error) {
        this.#controller?.abort(error as Error); // Which ends the answer with it.
      }
    }
    const end = this.#end;
    if (end === undefined) return;
    this.#end = undefined;
    if (end === 'end') reader.end();
    else reader.error(end);
  };

  #leave(): void {
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
