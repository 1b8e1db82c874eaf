import { useSyncExternalStore } from 'react';

/** A request that takes longer is told of. */
const PATIENCE_MS = 3_000;

let late = 0;
const listeners = new Set<() => void>();

function note(more: 1 | -1): void {
  late += more;
  for (const listener of listeners) listener();
}

/** The browser's own `fetch`, which notes what waits for long. */
export const watchedFetch: typeof fetch = async (input, init) => {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    note(1);
  }, PATIENCE_MS);
  try {
    return await fetch(input, init);
  } finally {
    clearTimeout(timer);
    if (isLate) note(-1);
  }
};

/** Whether the server keeps something waiting for long. */
export function useIsServerLate(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => late > 0,
  );
}
