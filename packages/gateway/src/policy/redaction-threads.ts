import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';
import { DragomanError, type ModelMessage } from '@dragoman/protocol';
import type { JsonObject } from '../tools/json-object.ts';

/** What a thread is to take the secrets out of. */
export type RedactionOrder = { prompt: ModelMessage[] } | { body: JsonObject; said: readonly string[] };

export interface RedactionResult {
  count: number;
  /** Without the secrets; undefined where there were none. */
  value: unknown;
}

/** Others wait their turn. */
const MOST_THREADS = 2;
/** A thread that has had nothing to do for this long ends, and gives back the memory that long texts took. */
const IDLE_MS = 5_000;
/** Far longer than the longest call takes. */
const LIMIT_MS = 60_000;

const idle: Worker[] = [];
const waiting: ((worker: Worker) => void)[] = [];
let started = 0;

/** Takes secrets out in a thread: in megabytes of text that takes too long for everybody else to wait. */
export async function redactInThread(order: RedactionOrder): Promise<RedactionResult> {
  const worker = await freeWorker();
  worker.ref();
  const { promise, resolve, reject } = Promise.withResolvers<RedactionResult>();
  const fail = (cause: unknown) =>
    reject(new DragomanError('internal', 'The secrets could not be taken out of this call.', { cause }));
  const timer = setTimeout(fail, LIMIT_MS, new Error(`it took longer than ${LIMIT_MS} ms`));
  worker.once('message', resolve).once('error', fail).once('exit', fail);
  try {
    worker.postMessage(order);
    const result = await promise;
    worker.off('message', resolve).off('error', fail).off('exit', fail);
    release(worker);
    return result;
  } catch (error) {
    discard(worker);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function freeWorker(): Promise<Worker> {
  const rested = idle.pop();
  if (rested !== undefined) return rested;
  if (started >= MOST_THREADS) return new Promise((resolve) => waiting.push(resolve));
  return startWorker();
}

function startWorker(): Worker {
  started++;
  const cache = getCompileCacheDir();
  const worker = new Worker(
    new URL(`./redact-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
    // It needs nothing of this process's surroundings.
    { name: 'redact', env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache } },
  );
  return worker
    .on('error', () => {}) // Whoever waits for it listens, too.
    .once('exit', () => {
      if (removeIdle(worker)) started--;
    });
}

function removeIdle(worker: Worker): boolean {
  const at = idle.indexOf(worker);
  if (at !== -1) idle.splice(at, 1);
  return at !== -1;
}

function release(worker: Worker): void {
  const next = waiting.shift();
  if (next !== undefined) return next(worker);
  worker.unref();
  idle.push(worker);
  setTimeout(() => {
    if (removeIdle(worker)) discard(worker);
  }, IDLE_MS).unref();
}

/** Its place is free for another one. */
function discard(worker: Worker): void {
  started--;
  void worker.terminate();
  const next = waiting.shift();
  if (next !== undefined) next(startWorker());
}
