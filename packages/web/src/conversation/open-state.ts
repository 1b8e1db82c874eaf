import { createContext, useContext, useSyncExternalStore } from 'react';

/** What is folded out, by its key. Kept beside the rows, which come and go as one scrolls. */
export class OpenState {
  readonly #open = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Set<() => void>();

  readonly #isAllOpen: boolean;

  constructor({ isAllOpen = false }: { isAllOpen?: boolean } = {}) {
    this.#isAllOpen = isAllOpen;
  }

  get(key: string): boolean | undefined {
    return this.#open.get(key) ?? (this.#isAllOpen || undefined);
  }

  set(key: string, isOpen: boolean): void {
    if (this.#open.get(key) === isOpen) return;
    this.#open.set(key, isOpen);
    for (const listener of this.#listeners) listener();
  }

  /** A person folds something in or out: what they look at is what they fold. */
  fold(key: string, isOpen: boolean): void {
    for (const watcher of this.#watchers) watcher();
    this.set(key, isOpen);
  }

  /** Tells when a person folds something, before it changes its height. */
  watchFolds(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const OpenStateContext = createContext(new OpenState());

/** Whether something is folded out, and how to change that. What nobody folded is as `usual`. */
export function useOpen(key: string, usual = false): [isOpen: boolean, toggle: () => void] {
  const state = useContext(OpenStateContext);
  const read = () => state.get(key) ?? usual;
  const isOpen = useSyncExternalStore(state.subscribe, read, read);
  return [isOpen, () => state.fold(key, !isOpen)];
}
