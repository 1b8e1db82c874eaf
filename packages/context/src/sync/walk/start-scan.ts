import { DragomanError } from '@dragoman/protocol';
import { startWorker } from '../../start-worker.ts';
import { type PackedKnown, packKnown } from './pack-known.ts';
import { type ScanBatch, type ScanOptions } from './scan-folder.ts';

/** What the thread is given. */
export interface ScanWorkerData {
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
  const workerData: ScanWorkerData = { options: scanOptions, known, taken, ahead: BATCHES_AHEAD };
  const worker = startWorker('scan-worker', import.meta.url, { workerData, name: 'scan' });

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
  if (signal?.aborted) throw new DragomanError('cancelled', `The scan of ${root} was called off`);
}
