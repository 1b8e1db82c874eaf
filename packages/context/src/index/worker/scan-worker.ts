import { parentPort, workerData } from 'node:worker_threads';
import { type SharedTable, VectorTable } from '../vectors/vector-table.ts';
import type { ScanMessage, SharedSegment } from './scan-messages.ts';
import { type ScannedSegment, scanSegment } from './scan-segment.ts';
import { SharedWork } from './shared-work.ts';

const work = new SharedWork(workerData as Int32Array<SharedArrayBuffer>);
const known = new Map<number, ScannedSegment>();

parentPort!.on('message', (message: ScanMessage) => {
  if ('know' in message) known.set(message.know.id, open(message.know));
  else if ('forget' in message) known.delete(message.forget);
  else help(message);
});

function help({ round, segments, question }: Extract<ScanMessage, { round: number }>): void {
  for (let piece; (piece = work.take(round, segments.length)) !== undefined;) {
    scanSegment(known.get(segments[piece]!)!, question);
    work.finish();
  }
}

function open({ chunks, paths, firstChunk, nearness }: SharedSegment): ScannedSegment {
  return { chunks: tableOf(chunks), paths: tableOf(paths), firstChunk, nearness };
}

function tableOf({ count, dimensions, memory }: SharedTable): VectorTable {
  return new VectorTable(count, dimensions, memory);
}
