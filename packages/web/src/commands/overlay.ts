import { useSyncExternalStore } from 'react';

/** What can be opened over every page: the commands, or the list of keys. */
type Overlay = 'commands' | 'keys';

let open: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens one of them, or closes the one that is open. */
export function openOverlay(overlay: Overlay | undefined): void {
  open = overlay;
  for (const listener of listeners) listener();
}

/** Which of them is open. */
export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
