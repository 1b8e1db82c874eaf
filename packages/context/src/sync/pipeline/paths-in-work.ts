import { DragomanError } from '@dragoman/protocol/error';

/** A blob on its way through the pipeline. */
export interface BlobInfo {
  folderId: number;
  relPath: string;
  blobName: string;
  mtime: number;
  /** When it was given in, or last taken by the server: how long it has been waited for is counted from here. */
  startTime: number;
}

/** A path in work. */
export interface PathInWork extends BlobInfo {
  /** False once the path was given in again or is no longer followed: the item is dropped at its next stage. */
  isCurrent: boolean;
  /** The server has it and takes its time; nobody waits for this item any more. */
  isPatient: boolean;
  hasAwaitedIndex: boolean;
  uploads: number;
  waiters: Waiter[] | undefined;
}

interface Waiter {
  items: number;
  resolve: () => void;
}

/** The paths that are on their way to the server, one item for each, and who waits for them. */
export class PathsInWork {
  readonly #items = new Map<number, Map<string, PathInWork>>();
  readonly #stopping: AbortSignal;
  #count = 0;
  #patient = 0;
  #taken = 0;

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
  }

  /** How many paths are on their way. */
  get count(): number {
    return this.#count;
  }

  /** How many of them are waited for. */
  get awaited(): number {
    return this.#count - this.#patient;
  }

  /** How many paths were ever on their way. */
  get taken(): number {
    return this.#taken;
  }

  get(folderId: number, relPath: string): PathInWork | undefined {
    return this.#items.get(folderId)?.get(relPath);
  }

  /** A path in work from here on; what was in work for it before is dropped. */
  take(info: BlobInfo): PathInWork {
    const { folderId, relPath } = info;
    this.drop(folderId, relPath);
    const item: PathInWork = {
      ...info,
      isCurrent: true,
      isPatient: false,
      hasAwaitedIndex: false,
      uploads: 0,
      waiters: undefined,
    };
    const items = this.#items.get(folderId);
    if (items === undefined) this.#items.set(folderId, new Map([[relPath, item]]));
    else items.set(relPath, item);
    this.#count++;
    this.#taken++;
    return item;
  }

  drop(folderId: number, relPath: string): void {
    const item = this.get(folderId, relPath);
    if (item !== undefined) this.end(item);
  }

  /** It has come to its end, whichever. */
  end(item: PathInWork): void {
    item.isCurrent = false;
    this.#items.get(item.folderId)?.delete(item.relPath);
    this.#count--;
    if (item.isPatient) this.#patient--;
    release(item);
  }

  /** It stays in work, and nobody waits for it. */
  becomePatient(item: PathInWork): void {
    if (item.isCurrent && !item.isPatient) this.#patient++;
    item.isPatient = true;
    release(item);
  }

  /** Resolves when everything that is in work now has come to its end or has become patient. */
  whenSettled(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { items: 0, resolve: () => finish(resolve) };
      const leave = () => finish(() => reject(cancelled()));
      const finish = (end: () => void) => {
        signal?.removeEventListener('abort', leave);
        this.#stopping.removeEventListener('abort', leave);
        end();
      };
      if (signal?.aborted === true || this.#stopping.aborted) {
        reject(cancelled());
        return;
      }
      for (const items of this.#items.values()) {
        for (const item of items.values()) {
          if (item.isPatient) continue;
          waiter.items++;
          (item.waiters ??= []).push(waiter);
        }
      }
      if (waiter.items === 0) {
        resolve();
        return;
      }
      signal?.addEventListener('abort', leave);
      this.#stopping.addEventListener('abort', leave);
    });
  }
}

function release(item: PathInWork): void {
  for (const waiter of item.waiters ?? []) if (--waiter.items === 0) waiter.resolve();
  item.waiters = undefined;
}

function cancelled(): DragomanError {
  return new DragomanError('cancelled', 'The sync was stopped.');
}
