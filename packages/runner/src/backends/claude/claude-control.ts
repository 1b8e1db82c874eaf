import { DragomanError } from '@dragoman/protocol';
import { type Fields, fieldsIn, textIn, toFields } from '../../backend/fields.ts';

const REQUEST_LIMIT_MS = 30_000;

/** What the control channel needs of its ends. */
export interface ClaudeControlOptions {
  /** Who is at the other end, for messages. */
  peer: string;
  write: (line: string) => Promise<void>;
  /** Everything that is not about control: what Claude Code says. */
  onMessage: (message: Fields) => void;
  /** Answers a request of Claude Code. `signal` fires when it does not want the answer any more. */
  onRequest: (request: Fields, signal: AbortSignal) => Promise<object>;
  /** A line that is no message, or a handler that failed. The conversation goes on. */
  onProblem: (problem: string) => void;
}

interface Waiting {
  resolve: (response: Fields) => void;
  reject: (error: Error) => void;
}

/**
 * The lines that Claude Code and we write to each other: its messages, and between them requests of either side, which
 * the other answers by their id.
 */
export class ClaudeControl {
  readonly #options: ClaudeControlOptions;
  readonly #waiting = new Map<string, Waiting>();
  readonly #served = new Map<string, AbortController>();
  #lastId = 0;
  #closedBy: Error | undefined;

  constructor(options: ClaudeControlOptions) {
    this.#options = options;
  }

  /** Asks Claude Code for something. */
  async request(
    request: { subtype: string } & Record<string, unknown>,
    { timeoutMs = REQUEST_LIMIT_MS, signal }: { timeoutMs?: number; signal?: AbortSignal | undefined } = {},
  ): Promise<Fields> {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    signal?.throwIfAborted();
    const { peer } = this.#options;
    const id = `req_${++this.#lastId}`;
    const { promise, resolve, reject } = Promise.withResolvers<Fields>();
    const onAbort = () => reject(new DragomanError('cancelled', `${request.subtype} was cancelled`));
    const tooSlow = `${peer} did not answer ${request.subtype} within ${timeoutMs / 1000} s`;
    const timer = setTimeout(() => reject(new DragomanError('timed-out', tooSlow, { isRetryable: true })), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(id, { resolve, reject });
    try {
      this.#write({ type: 'control_request', request_id: id, request });
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(id);
    }
  }

  /** Takes a line of Claude Code. False when it is no message. */
  receive(line: string): boolean {
    let message: Fields;
    try {
      message = toFields(JSON.parse(line));
    } catch {
      this.#options.onProblem(`a line that is not JSON: ${line.slice(0, 200)}`);
      return false;
    }
    this.#take(message);
    return typeof message['type'] === 'string';
  }

  /** Claude Code is gone: what waits for it fails with this error. */
  close(error: Error): void {
    if (this.#closedBy !== undefined) return;
    this.#closedBy = error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    for (const serving of this.#served.values()) serving.abort();
  }

  #take(message: Fields): void {
    switch (message['type']) {
      case 'control_response':
        return this.#answered(fieldsIn(message, 'response'));
      case 'control_request':
        return void this.#serve(textIn(message, 'request_id') ?? '', fieldsIn(message, 'request'));
      case 'control_cancel_request':
        return this.#served.get(textIn(message, 'request_id') ?? '')?.abort();
      default:
        try {
          this.#options.onMessage(message);
        } catch (error) {
          this.#options.onProblem(`a message of type ${String(message['type'])} could not be taken: ${String(error)}`);
        }
    }
  }

  #answered(response: Fields): void {
    const waiting = this.#waiting.get(textIn(response, 'request_id') ?? '');
    if (waiting === undefined) return; // A late answer to what was given up.
    if (response['subtype'] !== 'error') return waiting.resolve(fieldsIn(response, 'response'));
    waiting.reject(new DragomanError('bad-request', textIn(response, 'error') ?? 'it was refused without a reason'));
  }

  async #serve(id: string, request: Fields): Promise<void> {
    const serving = new AbortController();
    this.#served.set(id, serving);
    let response: object;
    try {
      const answer = await this.#options.onRequest(request, serving.signal);
      response = { subtype: 'success', request_id: id, response: answer };
    } catch (error) {
      response = { subtype: 'error', request_id: id, error: error instanceof Error ? error.message : String(error) };
    }
    this.#served.delete(id);
    if (!serving.signal.aborted) this.#write({ type: 'control_response', response });
  }

  #write(message: object): void {
    void this.#options
      .write(JSON.stringify(message))
      .catch((error: unknown) => this.#options.onProblem(`${this.#options.peer} could not be told: ${String(error)}`));
  }
}
