import type { Readable } from 'node:stream';

/** How much is handed on before the clock is looked at. */
const PIECE_BYTES = 4 * 1024;
/** How long a stream may be worked on before everything else has its turn. */
const TURN_MS = 5;

/** A stream that is being read. */
export interface TurnReader {
  /** No more bytes come: calls back when what has come is handed on, at once where it is. */
  finish(then: () => void): void;
  /** What has come and what may come is of no use any more: the stream is ended. */
  drop(): void;
}

/**
 * Hands on the bytes of a stream in small pieces, a few milliseconds' worth at a time, and reads no more before those are
 * done. A program that writes without end is slowed down by its own pipe then, and nobody else waits for it.
 */
export function readInTurns(stream: Readable, take: (bytes: Buffer) => void): TurnReader {
  let waiting: Buffer[] = [];
  let isAtWork = false;
  let onFinished: (() => void) | undefined;

  const work = () => {
    const until = performance.now() + TURN_MS;
    for (let chunk = waiting[0]; chunk !== undefined; chunk = waiting[0]) {
      if (chunk.length > PIECE_BYTES) waiting[0] = chunk.subarray(PIECE_BYTES);
      else waiting.shift();
      take(chunk.subarray(0, PIECE_BYTES));
      if (performance.now() >= until) break;
    }
    // Even what took no time is followed by a pause: otherwise many chunks are read in a row, and none of them took long.
    setImmediate(next);
  };
  const next = () => {
    if (waiting.length > 0) return work();
    isAtWork = false;
    if (onFinished === undefined) stream.resume();
    else onFinished();
  };

  stream.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    stream.pause();
    if (isAtWork) return;
    isAtWork = true;
    work();
  });
  return {
    finish(then) {
      if (isAtWork) onFinished = then;
      else then();
    },
    drop() {
      waiting = [];
      stream.destroy();
    },
  };
}
