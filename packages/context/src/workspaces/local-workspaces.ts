import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { BlobServer } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import type { BlobStore } from '../index/blobs/blob-store.ts';
import { tellStoreFailure } from '../index/blobs/tell-store-failure.ts';
import type { CodeIndex } from '../index/code-index.ts';
import type { SyncLog } from '../sync/pipeline/sync-log.ts';
import { openWorkspaceSync, type SyncProgress, type WorkspaceSync } from '../sync/watch/workspace-sync.ts';
import type { Workspace, WorkspaceStore } from '../sync/workspace-store.ts';

export interface LocalWorkspacesParts {
  store: WorkspaceStore;
  blobs: BlobStore;
  index: CodeIndex;
  /** Where a user's blobs go. */
  serverOf: (userId: string) => BlobServer;
  log: SyncLog;
  /** Whether open workspaces follow changes by themselves. */
  watch: boolean;
  maxBlobBytes: () => number;
}

export interface KnownWorkspace extends Workspace {
  files: number;
}

const NOTHING: BlobView = { key: '', blobNames: new Set() };
/** A workspace that nobody looked at for so long may have lost blobs to the sweep: they are asked for again. */
const RECHECK_AFTER_MS = 7 * 86_400_000;

/** The folders on this machine that are kept in step with the index. Each is opened when it is first asked about. */
export class LocalWorkspaces {
  readonly #parts: LocalWorkspacesParts;
  readonly #open = new Map<string, Promise<WorkspaceSync>>();

  constructor(parts: LocalWorkspacesParts) {
    this.#parts = parts;
  }

  /** A user's folders that are still there, the one used last first. */
  async list(userId: string): Promise<Workspace[]> {
    const known = await this.#parts.store.list(userId);
    return known.filter(({ host, server, root }) => host === hostname() && server === 'local' && isFolder(root));
  }

  /** The same, each with its count of files. */
  async describe(userId: string): Promise<KnownWorkspace[]> {
    const { store } = this.#parts;
    const known = await this.list(userId);
    return Promise.all(known.map(async (workspace) => ({ ...workspace, files: await store.countFiles(workspace.id) })));
  }

  /** The folder, made a workspace when it is none yet. */
  open(userId: string, root: string, onProgress?: (progress: SyncProgress) => void): Promise<WorkspaceSync> {
    const key = `${userId}\n${root}`;
    let sync = this.#open.get(key);
    if (sync === undefined) {
      sync = this.#openSync(userId, root, onProgress);
      this.#open.set(key, sync);
      sync.catch(() => this.#open.delete(key));
    }
    return sync;
  }

  /** Its files as they are on disk now, all of them to be found. */
  async view(userId: string, root: string, signal?: AbortSignal): Promise<BlobView> {
    const isFirst = !this.#open.has(`${userId}\n${root}`);
    const { index } = this.#parts;
    // The thread that answers starts and opens the index while what is known of the folder is read, …
    if (isFirst) void index.prepare(NOTHING).catch(() => {});
    const sync = await this.open(userId, root);
    // … and gets ready for what the folder was when it was last seen while it is looked through.
    if (isFirst && sync.view().blobNames.size > 0) void index.prepare(sync.view()).catch(() => {});
    await sync.refresh(signal);
    return sync.view();
  }

  /** Forgets a folder and frees what only it needed; false where it was not known. */
  async remove(userId: string, root: string): Promise<boolean> {
    const { store, blobs, index } = this.#parts;
    const key = `${userId}\n${root}`;
    const sync = await this.#open.get(key)?.catch(() => undefined);
    this.#open.delete(key);
    await sync?.stop();
    const workspace = await store.find({ userId, root });
    if (workspace === undefined) return false;
    const names = await store.blobNames(workspace.id, { isConfirmed: false });
    await store.delete(workspace.id);
    await blobs.remove(userId, await this.#unshared(userId, names));
    await index.forget(await blobs.sweep());
    return true;
  }

  /** Notes that the files of all folders that are still there are in use, so that no sweep takes them. */
  async touchAll(): Promise<void> {
    const { store, blobs } = this.#parts;
    for (const { id, userId, host, root } of await store.list())
      if (host === hostname() && isFolder(root)) await blobs.owned(userId, await store.blobNames(id)); // Asking is using.
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(async (sync) => (await sync.catch(() => undefined))?.stop()));
  }

  async #openSync(userId: string, root: string, onProgress?: (progress: SyncProgress) => void): Promise<WorkspaceSync> {
    const { store, serverOf, log, watch, maxBlobBytes } = this.#parts;
    const before = await store.find({ userId, root });
    const sync = await tellStoreFailure(`The workspace at ${root} cannot be opened`, () =>
      openWorkspaceSync({
        root,
        userId,
        store,
        server: serverOf(userId),
        log,
        watch,
        maxBlobBytes: maxBlobBytes(),
        ...(onProgress !== undefined && { onProgress }),
      }),
    );
    if (before !== undefined && Date.now() - before.updatedAt > RECHECK_AFTER_MS) sync.recheck();
    return sync;
  }

  /** Those names that no other workspace of the user has. */
  async #unshared(userId: string, names: readonly string[]): Promise<string[]> {
    const { store } = this.#parts;
    const others = new Set<string>();
    for (const { id } of await store.list(userId))
      for (const name of await store.blobNames(id, { isConfirmed: false })) others.add(name);
    // What was synced a moment ago may not be saved yet.
    for (const [key, open] of this.#open) {
      if (!key.startsWith(`${userId}\n`)) continue;
      for (const name of (await open.catch(() => undefined))?.view().blobNames ?? []) others.add(name);
    }
    return names.filter((name) => !others.has(name));
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
