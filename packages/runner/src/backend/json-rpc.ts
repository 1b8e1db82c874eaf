import { DragomanError } from '@dragoman/protocol';

/** Until the other side answers, where a request names no limit of its own. */
const REQUEST_LIMIT_MS = 60_000;

const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;

/** The other side answered with an error, or is to be answered with one. */
export class JsonRpcError extends DragomanError {
  override readonly name = 'JsonRpcError';
  /** The number that the protocol gives it. */
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown) {
    super('internal', message);
    this.rpcCode = rpcCode;
    this.data = data;
  }

  /** For a request whose method nobody here knows. */
  static unknownMethod(method: string): JsonRpcError {
    return new JsonRpcError(METHOD_NOT_FOUND, `there is no method "${method}"`);
  }
}

/** What a connection needs of its ends. */
export interface JsonRpcOptions {
  /** Who is at the other end, for messages: "gemini". */
  peer: string;
  write: (line: string) => Promise<void> | void;
  /** Answers a request of the other side, at once or with a promise. `signal` fires when the connection ends. */
  onRequest?: (method: string, params: unknown, signal: AbortSignal) => unknown;
  /** Takes a notification. Notifications and answers are taken in the order they came. */
  onNotification?: (method: string, params: unknown) => void;
  /** A line that is no message, or a handler that failed. The connection goes on. */
  onProblem?: (problem: string) => void;
  /** Some servers leave the version out and want it left out. */
  hasVersion?: boolean;
  requestLimitMs?: number;
}

/** How long a request may take, and what calls it off. */
export interface JsonRpcRequestOptions {
  /** `Infinity`: as long as the connection lasts, such as for a turn. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** Tells the other side that nobody waits any more, by the id of the request. */
  onGivenUp?: (requestId: number) => void;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * JSON-RPC 2.0 in lines, with requests both ways.
 *
 * Lenient in what it reads: a line that is not a message, an answer to nothing, a missing version are reported and passed
 * over, because programs print things to their standard output that do not belong there.
 */
export class JsonRpcConnection {
  readonly #options: JsonRpcOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #closing = new AbortController();
  #lastId = 0;
  #closedBy: Error | undefined;

  constructor(options: JsonRpcOptions) {
    this.#options = options;
  }

  /** Asks the other side, and gives back its result. */
  async request(method: string, params?: unknown, options: JsonRpcRequestOptions = {}): Promise<unknown> {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    options.signal?.throwIfAborted();
    const id = ++this.#lastId;
    const limitMs = options.timeoutMs ?? this.#options.requestLimitMs ?? REQUEST_LIMIT_MS;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const giveUp = (error: Error) => {
      if (!this.#waiting.delete(id)) return;
      options.onGivenUp?.(id);
      reject(error);
    };
    const onAbort = () => giveUp(new DragomanError('cancelled', `${method} was cancelled`));
    const timer = Number.isFinite(limitMs)
      ? setTimeout(() => giveUp(this.#tooSlow(method, limitMs)), limitMs)
      : undefined;
    options.signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(id, { resolve, reject });
    try {
      this.#write({ id, method, params }, (error) => giveUp(error));
      return await promise;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
    }
  }

  /** Tells the other side something that has no answer. */
  notify(method: string, params?: unknown): void {
    if (this.#closedBy === undefined) this.#write({ method, params });
  }

  /** Takes a line of the other side. False when it is no message. */
  receive(line: string): boolean {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#passOver(`a line that is not JSON: ${line.slice(0, 200)}`);
    }
    const taken = (Array.isArray(message) ? message : [message]).map((one) => this.#take(one));
    return taken.includes(true);
  }

  /** The other side is gone: what waits for it fails with this error. */
  close(error: Error): void {
    if (this.#closedBy !== undefined) return;
    this.#closedBy = error;
    this.#closing.abort(error);
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  #take(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return this.#passOver('a message that is not an object');
    const { id, method, params, result, error } = message as Record<string, unknown>;
    if (typeof method === 'string') {
      if (id === undefined || id === null) this.#notified(method, params);
      else void this.#answer(id, method, params);
      return true;
    }
    const waiting = this.#waiting.get(typeof id === 'string' ? Number(id) : (id as number));
    if (waiting === undefined) {
      // A late answer to what was given up is nothing to speak of.
      if (typeof id === 'number' && id <= this.#lastId) return true;
      return this.#passOver(`an answer to nothing, id ${JSON.stringify(id)}`);
    }
    this.#waiting.delete(Number(id));
    if (error === undefined || error === null) waiting.resolve(result);
    else waiting.reject(toError(this.#options.peer, error));
    return true;
  }

  #notified(method: string, params: unknown): void {
    try {
      this.#options.onNotification?.(method, params);
    } catch (error) {
      this.#report(`${method} could not be taken: ${messageOf(error)}`);
    }
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    try {
      if (this.#options.onRequest === undefined) throw JsonRpcError.unknownMethod(method);
      const result = await this.#options.onRequest(method, params, this.#closing.signal);
      this.#write({ id, result: result ?? null });
    } catch (error) {
      const known = error instanceof JsonRpcError;
      if (!known) this.#report(`${method} could not be answered: ${messageOf(error)}`);
      this.#write({
        id,
        error: {
          code: known ? error.rpcCode : INTERNAL_ERROR,
          message: messageOf(error),
          ...(known && error.data !== undefined ? { data: error.data } : {}),
        },
      });
    }
  }

  #write(message: object, onError?: (error: Error) => void): void {
    if (this.#closedBy !== undefined) return;
    const line = JSON.stringify(this.#options.hasVersion === false ? message : { jsonrpc: '2.0', ...message });
    const failed = (error: unknown) => {
      const cause = error instanceof Error ? error : new Error(String(error));
      if (onError === undefined) this.#report(`${this.#options.peer} could not be told: ${cause.message}`);
      else onError(cause);
    };
    try {
      void Promise.resolve(this.#options.write(line)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #passOver(problem: string): false {
    this.#report(problem);
    return false;
  }

  #report(problem: string): void {
    this.#options.onProblem?.(problem);
  }

  #tooSlow(method: string, limitMs: number): DragomanError {
    return new DragomanError('timed-out', `${this.#options.peer} did not answer ${method} within ${limitMs / 1000} s`, {
      isRetryable: true,
    });
  }
}

function toError(peer: string, error: unknown): JsonRpcError {
  const { code, message, data } = (typeof error === 'object' ? error : {}) as Record<string, unknown>;
  const text = typeof message === 'string' && message !== '' ? message : `${peer} answered with an error`;
  return new JsonRpcError(typeof code === 'number' ? code : INTERNAL_ERROR, text, data);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
