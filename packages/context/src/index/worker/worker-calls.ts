import { parentPort, type Transferable, type Worker } from 'node:worker_threads';

interface CallMessage {
  call: number;
  name: string;
  input: unknown;
}

interface AnswerMessage {
  call: number;
  output?: unknown;
  error?: ToldError;
}

/** What is told of an error across threads: an error that is passed as such has lost what the system said of it. */
type ToldError = Pick<
  NodeJS.ErrnoException & { errcode?: number },
  'message' | 'stack' | 'code' | 'syscall' | 'errcode'
>;

/** What a worker can be asked: a name, an input, an output. */
export type WorkerMethods = Record<string, { input: unknown; output: unknown }>;

/**
 * A worker thread that is asked like a function. It is started with the first call, and ended after a while without
 * one, so that a server that is asked nothing carries no extra thread. A worker that dies fails what it was asked.
 */
export class WorkerCalls<Methods extends WorkerMethods> {
  readonly #start: () => Worker;
  readonly #idleMs: number;
  readonly #waiting = new Map<number, { resolve(output: unknown): void; reject(error: unknown): void }>();
  #worker: Worker | undefined;
  #next = 1;
  #held = 0;
  #idle: NodeJS.Timeout | undefined;
  #ended: (() => void) | undefined;

  /** `ended` is called whenever the worker is gone, and with it all it remembered. */
  constructor(start: () => Worker, options: { idleMs: number; ended?: () => void }) {
    this.#start = start;
    this.#idleMs = options.idleMs;
    this.#ended = options.ended;
  }

  call<Name extends keyof Methods & string>(
    name: Name,
    input: Methods[Name]['input'],
    transfer: Transferable[] = [],
  ): Promise<Methods[Name]['output']> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#begin());
    const call = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(call, { resolve, reject });
      worker.ref();
      worker.postMessage({ call, name, input } satisfies CallMessage, transfer);
    });
  }

  /** The worker is not ended for want of calls while this runs: what it remembers of one call is wanted by the next. */
  async hold<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#held++;
    try {
      return await task();
    } finally {
      this.#held--;
      if (this.#waiting.size === 0) this.#rest();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #begin(): Worker {
    const worker = this.#start();
    worker.on('message', (answer: AnswerMessage) => this.#settle(answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, new Error('the worker ended before it answered')));
    return worker;
  }

  #settle({ call, output, error }: AnswerMessage): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (error === undefined) waiting?.resolve(output);
    else waiting?.reject(Object.assign(new Error(error.message), error));
    if (this.#waiting.size === 0) this.#rest();
  }

  /** Nothing is asked: the thread does not keep the process alive, and ends in a while. */
  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#held > 0) return;
    this.#idle = setTimeout(() => this.#letGo(), this.#idleMs);
    this.#idle.unref();
  }

  /** The thread ends; a call that comes meanwhile gets another. */
  #letGo(): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#fail(worker, undefined);
    void worker.terminate();
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#ended?.();
  }
}

type Handlers<Methods extends WorkerMethods> = {
  [Name in keyof Methods]: (
    input: Methods[Name]['input'],
  ) => Methods[Name]['output'] | Promise<Methods[Name]['output']>;
};

/** The worker's side: answers calls one after the other, in the order they came. */
export function answerCalls<Methods extends WorkerMethods>(handlers: Handlers<Methods>): void {
  const port = parentPort!;
  let last: Promise<void> = Promise.resolve();
  port.on('message', ({ call, name, input }: CallMessage) => {
    last = last.then(async () => {
      try {
        port.postMessage({ call, output: await handlers[name]!(input) } satisfies AnswerMessage);
      } catch (error) {
        port.postMessage({ call, error: toToldError(error) } satisfies AnswerMessage);
      }
    });
  });
}

function toToldError(error: unknown): ToldError {
  if (!(error instanceof Error)) return toToldError(new Error(String(error)));
  const { message, stack, code, syscall, errcode } = error as ToldError;
  const told = { message, stack, code, syscall, errcode };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as unknown as ToldError;
}
