import { parentPort } from 'node:worker_threads';
import { unpackKnown } from './pack-known.ts';
import { ScanRootError, scanFolder } from './scan-folder.ts';
import { type ScanMessage, type ScanOrder, type TakenCount } from './start-scan.ts';

// The thread that `start-scan.ts` starts. It imports only what a scan needs, so that it is up at once.

parentPort!.once('message', ({ options, known, taken, ahead }: ScanOrder) => {
  let sent = 0;
  try {
    for (const batch of scanFolder({ ...options, ...unpackKnown(known) })) {
      post({ type: 'batch', batch });
      sent++;
      waitUntilTaken(taken, sent - ahead);
    }
    post({ type: 'end' });
  } catch (error) {
    if (!(error instanceof ScanRootError)) throw error;
    post({ type: 'refused', code: error.code, message: error.message });
  }
});

function post(message: ScanMessage): void {
  parentPort!.postMessage(message);
}

function waitUntilTaken(counter: TakenCount, wanted: number): void {
  for (let count = Atomics.load(counter, 0); count < wanted; count = Atomics.load(counter, 0)) {
    Atomics.wait(counter, 0, count);
  }
}
