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

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #signal: AbortSignal;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: BytesReader | undefined;
  /** What came between the head and the reader. */
  #early: (Buffer | 'end' | Error)[] = [];

  constructor(resolve: (answer: HttpAnswer) => void, reject: (error: Error) => void, signal: AbortSignal) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
  }

  readonly #abort = (): void => this.#controller?.abort(new DOMException('The client left.', 'AbortError'));

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

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#reader === undefined) this.#early.push(bytes);
    else this.#reader.data(bytes);
  }

  onResponseEnd(): void {
    this.#leave();
    if (this.#reader === undefined) this.#early.push('end');
    else this.#reader.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#leave();
    this.#reject(error); // Does nothing once the head has come.
    if (this.#reader === undefined) this.#early.push(error);
    else this.#reader.error(error);
  }

  #attach(reader: BytesReader): void {
    this.#reader = reader;
    for (const early of this.#early) {
      if (early === 'end') reader.end();
      else if (early instanceof Error) reader.error(early);
      else reader.data(early);
    }
    this.#early = [];
  }

  #leave(): void {
    this.#signal.removeEventListener('abort', this.#abort);
  }
}
