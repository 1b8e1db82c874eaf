import { parentPort, workerData } from 'node:worker_threads';
import { type ScannedSegment, scanSegment } from '../rank/file-meaning.ts';
import { type SharedTable, VectorTable } from '../vectors/vector-table.ts';
import type { ScanMessage, SharedSegment } from './scan-messages.ts';
import { SharedWork } from './shared-work.ts';

const work = new SharedWork(workerData as Int32Array<SharedArrayBuffer>);
const known = new Map<number, ScannedSegment>();

parentPort!.on('message', (message: ScanMessage) => {
  if ('know' in message) known.set(message.know.id, open(message.know));
  else if ('forget' in message) known.delete(message.forget);
  else {
    const { round, segments, question } = message;
    work.help(round, segments.length, (piece) => scanSegment(known.get(segments[piece]!)!, question));
  }
});

function open({ chunks, paths, firstChunk, nearness }: SharedSegment): ScannedSegment {
  return { chunks: tableOf(chunks), paths: tableOf(paths), firstChunk, nearness };
}

function tableOf({ count, dimensions, memory }: SharedTable): VectorTable {
  return new VectorTable(count, dimensions, memory);
}
