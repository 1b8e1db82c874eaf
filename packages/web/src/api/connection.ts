import { useSyncExternalStore } from 'react';
import type { LiveState } from '../live/live-message.ts';
import { client } from './client.ts';

/** How the page stands with the server, as the stream of changes knows it. */
let state: LiveState | undefined;
const listeners = new Set<() => void>();

/** Notes how the stream stands. */
export function noteConnection(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
  if (next === 'live') tellBack();
}

const backListeners = new Set<() => void>();

function tellBack(): void {
  for (const listener of backListeners) listener();
}

/** Calls when the server can be reached again, as far as that is known; what did not reach it may be sent then. */
export function whenBack(listener: () => void): () => void {
  backListeners.add(listener);
  return () => backListeners.delete(listener);
}

/** How the page stands with the server; undefined before the first attempt. */
export function useConnection(): LiveState | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

const PROBE_MS = 4000;
let isOffline = false;
const offlineListeners = new Set<() => void>();

function noteOffline(next: boolean): void {
  isOffline = next;
  for (const listener of offlineListeners) listener();
}

// A stream may take half a minute to find out that it is cut. The browser knows sooner, but not whether the server is
// gone with the network: one on the same machine is not. Parts of the console are also drawn where there is no window: in tests.
if (typeof window !== 'undefined') {
  window.addEventListener('online', () => {
    noteOffline(false);
    tellBack();
  });
  window.addEventListener('offline', () => {
    client.me({}, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => noteOffline(!navigator.onLine));
  });
}

/** Whether the network is gone, and the server with it. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      offlineListeners.add(listener);
      return () => offlineListeners.delete(listener);
    },
    () => isOffline,
  );
}
