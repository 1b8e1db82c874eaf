import type { Readable } from 'node:stream';

/** Between two looks at pipes that somebody holds open. */
const LOOK_MS = 200;
/** More than any pipe holds: what comes after it was written by somebody else, since the program is gone. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Calls back once, when everything is read that a program left in its pipes when it ended. They end by themselves, unless
 * what it started holds them open; then it is when nothing is in them any more, however long the reading takes.
 */
export function afterLastBytes(pipes: readonly Readable[], then: () => void): void {
  let bytes = 0;
  let isOver = false;
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(nextLook);
    for (const pipe of pipes) pipe.off('data', count).off('close', finishAtEnd);
    then();
  };
  const finishAtEnd = () => {
    if (pipes.every((pipe) => pipe.closed)) finish();
  };
  const count = (piece: Buffer | string) => {
    bytes += piece.length;
    if (bytes > MOST_BYTES) finish();
  };
  const isIdle = () => pipes.every((pipe) => pipe.closed || (!pipe.isPaused() && pipe.readableLength === 0));
  const look = () => {
    // A timer may be due before the bytes are looked for. From one of these to the next, every pipe has its turn.
    setImmediate(() => {
      const [before, wasIdle] = [bytes, isIdle()];
      setImmediate(() => {
        if (isOver) return;
        if (wasIdle && isIdle() && bytes === before) finish();
        else nextLook.refresh();
      });
    });
  };
  const nextLook = setTimeout(look, LOOK_MS).unref();

  for (const pipe of pipes) pipe.on('data', count).on('close', finishAtEnd);
  finishAtEnd();
}
