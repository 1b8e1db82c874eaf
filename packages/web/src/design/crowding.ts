import { useEffect, useSyncExternalStore } from 'react';

let count = 0;
const listeners = new Set<() => void>();

function changeBy(step: number): void {
  count += step;
  for (const listener of listeners) listener();
}

/** Says that a page shows something beside its content for as long as this is so: what is around it should be small. */
export function useCrowding(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    changeBy(1);
    return () => changeBy(-1);
  }, [isOn]);
}

/** Whether a page shows something beside its content. */
export function useIsCrowded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => count > 0,
  );
}
