/** Nobody waits longer for lists because the stream that keeps them is slow to come. */
const PATIENCE_MS = 1500;

const turn = Promise.withResolvers<void>();
let isOver = false;
let timer: number | undefined;

/** Whether lists were let through to be read: what changed since then is not in them. */
export function wasRead(): boolean {
  return isOver;
}

/** Lets lists be read, now that what changes in them will be told, or will not be for a while. */
export function letRead(): void {
  isOver = true;
  clearTimeout(timer);
  turn.resolve();
}

/**
 * Settles when a list may be read. Before the stream of changes is there, a list would have to be read again as soon as it comes, since
 * what happens in between is told to nobody.
 */
export function mayRead(): Promise<void> {
  if (!isOver) timer ??= window.setTimeout(letRead, PATIENCE_MS);
  return turn.promise;
}
