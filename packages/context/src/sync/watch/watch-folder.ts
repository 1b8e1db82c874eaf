import { realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DragomanError } from '@dragoman/protocol/error';
import { type Clock, systemClock } from '../pipeline/clock.ts';

export interface FileEvent {
  /** Absolute. */
  path: string;
  type: 'create' | 'update' | 'delete';
}

/** Follows a folder and all below it, except the folders in `ignore`. The answer ends it. */
export type Subscribe = (
  root: string,
  onEvents: (error: Error | null, events: readonly FileEvent[]) => void,
  ignore: readonly string[],
) => Promise<() => Promise<void>>;

interface FolderListener {
  /** Relative paths, with `/`, of what was made, written or deleted; a folder stands for all that is in it. */
  changed(paths: ReadonlySet<string>): void;
  /** More may have changed than was told: everything has to be looked at. */
  missed(): void;
  /** Nothing more will be told. */
  troubled(error: DragomanError): void;
}

interface WatchFolderOptions {
  /** Folders that are not followed, relative to the root, with `/`. */
  ignore?: readonly string[];
  clock?: Clock;
  subscribe?: Subscribe;
}

export interface FolderWatch {
  /** Tells at once what has been gathered. */
  flush(): void;
  stop(): Promise<void>;
}

/** Events are gathered this long, so that a save that writes three times is one change. */
const WINDOW_MS = 30;
/** A system's queue of events is finite and overflows silently; after so many at once nobody knows. */
const MAX_EVENTS = 4_000;
/** Watchers compare each of these with every path, so there is an end to them. What is beyond is filtered later. */
const MAX_IGNORED = 500;

/** Tells what changes in a folder. Resolves when it is being watched: what changes from then on is told. */
export async function watchFolder(
  folder: string,
  listener: FolderListener,
  { ignore = [], clock = systemClock, subscribe = subscribeNatively }: WatchFolderOptions = {},
): Promise<FolderWatch> {
  const root = realPath(folder);
  const ignored = ['.git', ...ignore].map((path) => join(root, path)).slice(0, MAX_IGNORED);
  let changed = new Set<string>();
  let callOff = () => {};
  let isWaiting = false;
  let isOver = false;
  let ending: Promise<void> | undefined;
  let unsubscribe: () => Promise<void> = async () => {};

  const fail = (error: DragomanError) => {
    if (isOver) return;
    void stop();
    listener.troubled(error);
  };
  const flush = () => {
    callOff();
    isWaiting = false;
    if (isOver || changed.size === 0) return;
    const paths = changed;
    changed = new Set();
    if (paths.size > MAX_EVENTS) listener.missed();
    else listener.changed(paths);
  };
  const onEvents = (error: Error | null, events: readonly FileEvent[]) => {
    if (isOver) return;
    if (error !== null) {
      fail(broken(root, error));
      return;
    }
    for (const { path, type } of events) {
      if (path === root) {
        if (type !== 'delete') continue;
        fail(new DragomanError('not-found', `The folder ${root} is no longer there.`));
        return;
      }
      changed.add(sep === '/' ? path.slice(root.length + 1) : relative(root, path).replaceAll(sep, '/'));
    }
    if (isWaiting || changed.size === 0) return;
    isWaiting = true;
    callOff = clock.after(WINDOW_MS, flush);
  };
  const stop = () => {
    isOver = true;
    callOff();
    ending ??= unsubscribe().catch(() => {}); // Its folder may be gone.
    return ending;
  };

  try {
    unsubscribe = await subscribe(root, onEvents, ignored);
  } catch (error) {
    throw broken(root, error);
  }
  return { flush, stop };
}

/** Events name files by their real paths on some systems. */
function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

function broken(root: string, error: unknown): DragomanError {
  const message = error instanceof Error ? error.message : String(error);
  return new DragomanError('unavailable', `Changes in ${root} cannot be watched: ${message}`, { cause: error });
}

/** What watches is loaded when something is to be watched; where its package is missing this throws. */
const subscribeNatively: Subscribe = async (root, onEvents, ignore) => {
  if (process.platform === 'linux') {
    const { subscribeByFolder } = await import('./subscribe-by-folder.ts');
    return subscribeByFolder(root, onEvents, ignore);
  }
  const { subscribe } = await import('@parcel/watcher');
  const subscription = await subscribe(root, onEvents, { ignore: [...ignore] });
  return () => subscription.unsubscribe();
};
