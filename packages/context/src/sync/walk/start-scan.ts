import type { Worker } from 'node:worker_threads';
import { DragomanError } from '@dragoman/protocol/error';
import { startWorker } from '../../start-worker.ts';
import { type PackedKnown, packKnown } from './pack-known.ts';
import { type ScanBatch, type ScanOptions } from './scan-folder.ts';

/** What the thread is given. */
export interface ScanOrder {
  options: ScanOptions;
  known: PackedKnown;
  taken: TakenCount;
  /** How many batches may lie ready before the thread waits. */
  ahead: number;
}

/** How many batches were taken so far, in memory that both threads see. */
export type TakenCount = Int32Array<SharedArrayBuffer>;

export type ScanMessage =
  | { type: 'batch'; batch: ScanBatch }
  | { type: 'end' }
  | { type: 'refused'; code: 'bad-request' | 'not-found'; message: string };

const BATCHES_AHEAD = 8;

/** A small workspace turns out not to need the thread. */
const SPARE_MS = 10_000;
/** A thread that is up, or on its way, and waits for an order. */
let spare: Worker | undefined;

/** Starts the thread of the next scan, while what it needs to know is still being read. */
export function expectScan(): void {
  if (spare !== undefined) return;
  const thread = startThread();
  spare = thread;
  thread.unref();
  thread.once('exit', () => {
    if (spare === thread) spare = undefined;
  });
  setTimeout(() => {
    if (spare !== thread) return;
    spare = undefined; // Its end takes a moment, and a scan may come meanwhile.
    void thread.terminate();
  }, SPARE_MS).unref();
  thread.once('error', () => {}); // The scan that gets it sees that it is gone.
}

function startThread(): Worker {
  return startWorker('scan-worker', import.meta.url, { name: 'scan' });
}

/**
 * Scans a folder in a thread of its own.
 *
 * The thread waits when batches are not taken, ends when the scan does, and is ended by the signal or by leaving the loop.
 * When the root is not there the loop throws, and nothing is said about what was known below it.
 */
export async function* startScan(
  options: ScanOptions & { signal?: AbortSignal | undefined },
): AsyncGenerator<ScanBatch, void, void> {
  const { signal, knownFiles, knownFolders, ...scanOptions } = options;
  throwIfAborted(signal, options.root);
  const taken: TakenCount = new Int32Array(new SharedArrayBuffer(4));
  const known = packKnown(knownFiles ?? new Map(), knownFolders ?? new Map());
  const worker = spare ?? startThread();
  spare = undefined;
  worker.ref();
  worker.postMessage({ options: scanOptions, known, taken, ahead: BATCHES_AHEAD } satisfies ScanOrder);

  const messages: (ScanMessage | { type: 'failed'; cause: unknown })[] = [];
  let wake = () => {};
  const add = (message: (typeof messages)[number]) => {
    messages.push(message);
    wake();
  };
  worker.on('message', (message: ScanMessage) => add(message));
  worker.on('error', (cause) => add({ type: 'failed', cause }));
  worker.on('exit', (code) => add({ type: 'failed', cause: new Error(`The thread ended with ${code}`) }));
  const abort = () => wake();
  signal?.addEventListener('abort', abort);

  try {
    for (;;) {
      throwIfAborted(signal, options.root);
      const message = messages.shift();
      if (message === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      switch (message.type) {
        case 'batch':
          Atomics.add(taken, 0, 1);
          Atomics.notify(taken, 0);
          yield message.batch;
          break;
        case 'end':
          return;
        case 'refused':
          throw new DragomanError(message.code, message.message);
        case 'failed':
          throw new DragomanError('internal', `The scan of ${options.root} broke off`, { cause: message.cause });
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

function throwIfAborted(signal: AbortSignal | undefined, root: string): void {
  if (signal?.aborted) throw new DragomanError('cancelled', `The scan of ${root} was cancelled`);
}
