import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { DragomanError } from '@dragoman/protocol/error';
import type { BlobServer } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import type { BlobStore } from '../index/blobs/blob-store.ts';
import { digestOfSet } from '../index/blobs/packed-names.ts';
import { tellStoreFailure } from '../index/blobs/tell-store-failure.ts';
import { RecentlyUsed } from '../index/checkpoints/recently-used.ts';
import type { CodeIndex } from '../index/code-index.ts';
import type { SyncLog } from '../sync/pipeline/sync-log.ts';
import type { SyncHealth } from '../sync/watch/sync-health.ts';
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
  /** Only files with these are indexed, where given. */
  extensions?: () => readonly string[] | undefined;
  /** Whether servers on other machines keep their workspaces in the same store. */
  isShared?: boolean;
}

export interface KnownWorkspace extends Workspace {
  files: number;
}

/** A workspace and how it is; `unseen` where it was not looked at since the process started. */
export interface WorkspaceWithHealth {
  workspace: Workspace;
  health: SyncHealth;
  /** The name of the machine that has the folder, where several share the store. */
  machine?: string;
}

interface OpenWorkspace {
  sync: Promise<WorkspaceSync>;
  /** The same, once it is open. */
  opened?: WorkspaceSync;
}

const NOTHING: BlobView = { key: '', blobNames: new Set() };
/** A workspace that nobody looked at for so long may have lost blobs to the sweep: they are asked for again. */
const RECHECK_AFTER_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
/** Names in memory, over all workspaces of other machines. */
const MAX_KEPT_NAMES = 500_000;

/**
 * The folders on this machine that are kept in step with the index. Each is opened when it is first asked about. Those of other
 * machines that share the store can be asked about as they were last synced, and removed; all else is for the server there.
 */
export class LocalWorkspaces {
  readonly #parts: LocalWorkspacesParts;
  readonly #open = new Map<string, OpenWorkspace>();
  /** Those that are being removed, until they are gone. */
  readonly #removing = new Map<string, Promise<unknown>>();
  /** Why those that could not be opened could not, until they can. */
  readonly #notOpened = new Map<string, string>();
  /** What workspaces of other machines were when they were last saved, and on which day that was read. */
  readonly #elsewhere = new RecentlyUsed<{ version: string; view: BlobView }>(
    MAX_KEPT_NAMES,
    ({ view }) => view.blobNames.size + 1,
  );

  constructor(parts: LocalWorkspacesParts) {
    this.#parts = parts;
  }

  /** A user's folders on this machine that are still there, the one used last first. */
  async list(userId: string): Promise<Workspace[]> {
    return (await this.listAll(userId)).filter((workspace) => this.isHere(workspace));
  }

  /** The same, with those of other machines that share the store. */
  async listAll(userId: string): Promise<Workspace[]> {
    return (await this.#known(userId)).filter((workspace) => !this.isHere(workspace) || isFolder(workspace.root));
  }

  /** Whether the folder is on this machine. */
  isHere({ host }: Workspace): boolean {
    return host === hostname();
  }

  /** A user's folders with how each is, also those that are gone. Nothing is opened or looked at for that. */
  async overview(userId: string): Promise<WorkspaceWithHealth[]> {
    const known = await this.#known(userId);
    return Promise.all(
      known.map(async (workspace) => this.#withMachine({ workspace, health: await this.#healthOf(workspace) })),
    );
  }

  /** One of a user's folders by its id. */
  async find(userId: string, id: string): Promise<Workspace> {
    const workspace = (await this.#known(userId)).find((known) => known.id === id);
    if (workspace !== undefined) return workspace;
    throw new DragomanError('not-found', `There is no workspace ${JSON.stringify(id.slice(0, 200))} of yours.`);
  }

  /** The same, where the folder itself is needed. */
  async findHere(userId: string, id: string): Promise<Workspace> {
    const workspace = await this.find(userId, id);
    if (this.isHere(workspace)) return workspace;
    throw new DragomanError(
      'conflict',
      `${workspace.root} is a folder of the machine ${workspace.host}, and another server answered. Only the server on ${workspace.host} can look at its files.`,
    );
  }

  /** The same, each with its count of files. */
  async describe(userId: string): Promise<KnownWorkspace[]> {
    const { store } = this.#parts;
    const known = await this.list(userId);
    return Promise.all(known.map(async (workspace) => ({ ...workspace, files: await store.countFiles(workspace.id) })));
  }

  /** The folder, made a workspace when it is none yet. */
  open(userId: string, root: string, onProgress?: (progress: SyncProgress) => void): Promise<WorkspaceSync> {
    const key = keyOf(userId, root);
    const known = this.#open.get(key);
    if (known !== undefined) return known.sync;
    if (this.#removing.has(key))
      return Promise.reject(new DragomanError('not-found', `The workspace at ${root} is being removed.`));
    const opening: OpenWorkspace = { sync: this.#openSync(userId, root, onProgress) };
    this.#open.set(key, opening);
    opening.sync.then(
      (sync) => {
        opening.opened = sync;
        this.#notOpened.delete(key);
      },
      (error: unknown) => {
        this.#notOpened.set(key, error instanceof Error ? error.message : String(error));
        if (this.#open.get(key) === opening) this.#open.delete(key);
      },
    );
    return opening.sync;
  }

  /** The folder, made a workspace when it is none yet. Its files are looked at from here on, and nobody waits for that. */
  async refreshLater(userId: string, root: string): Promise<WorkspaceWithHealth> {
    const key = keyOf(userId, root);
    await this.#removing.get(key)?.catch(() => {});
    await this.#dropDeleted(userId, root);
    const sync = await this.open(userId, root);
    sync.lookAgain();
    sync.refresh().catch((err: unknown) => {
      // It is told with the workspace's health; one that was stopped meanwhile has none.
      if (this.#open.has(key)) this.#parts.log.warn({ err, root }, 'a workspace could not be refreshed');
    });
    return this.#withMachine({ workspace: sync.workspace, health: sync.health });
  }

  /** Its files as they are now, or as they were last synced where they are on another machine. */
  async viewOf(workspace: Workspace, signal?: AbortSignal): Promise<BlobView> {
    return this.isHere(workspace) ? this.view(workspace.userId, workspace.root, signal) : this.#lastSynced(workspace);
  }

  /** The blob of a file of it, where it can be found. */
  async blobAt(workspace: Workspace, path: string): Promise<string | undefined> {
    if (!this.isHere(workspace)) return this.#parts.store.blobAt(workspace.id, path);
    return (await this.open(workspace.userId, workspace.root)).blobAt(path);
  }

  /** Its files as they are on disk now, all of them to be found. */
  async view(userId: string, root: string, signal?: AbortSignal): Promise<BlobView> {
    const isFirst = !this.#open.has(keyOf(userId, root));
    const { index } = this.#parts;
    // The thread that answers starts and opens the index while what is known of the folder is read, …
    if (isFirst) void index.prepare(NOTHING).catch(() => {});
    const sync = await this.open(userId, root);
    // … and gets ready for what the folder was when it was last seen while it is looked through.
    if (isFirst && sync.view().blobNames.size > 0) void index.prepare(sync.view()).catch(() => {});
    await index.whileAsked(() => sync.refresh(signal));
    return sync.view();
  }

  /** Forgets a folder of this machine or another one. The server there notices within the hour, or when it is asked. */
  async removeAnywhere(workspace: Workspace): Promise<void> {
    if (this.isHere(workspace)) await this.remove(workspace.userId, workspace.root);
    else await this.#free(workspace);
  }

  /** Forgets a folder and frees what only it needed; false where it was not known. */
  async remove(userId: string, root: string): Promise<boolean> {
    const key = keyOf(userId, root);
    const earlier = this.#removing.get(key);
    if (earlier !== undefined) {
      await earlier;
      return false;
    }
    const removing = this.#remove(userId, root).finally(() => this.#removing.delete(key));
    this.#removing.set(key, removing);
    return removing;
  }

  async #remove(userId: string, root: string): Promise<boolean> {
    const key = keyOf(userId, root);
    const open = this.#open.get(key);
    this.#open.delete(key);
    this.#notOpened.delete(key);
    await (await open?.sync.catch(() => undefined))?.stop();
    const workspace = await this.#parts.store.find({ userId, root });
    if (workspace === undefined) return false;
    await this.#free(workspace);
    return true;
  }

  async #free({ id, userId }: Workspace): Promise<void> {
    const { store, blobs, index } = this.#parts;
    const names = await store.blobNames(id, { isConfirmed: false });
    await store.delete(id);
    this.#elsewhere.delete(id);
    await blobs.remove(userId, await this.#unshared(userId, names));
    await index.forget(await blobs.sweep());
  }

  /** Stops following folders whose workspaces another server or command has removed. */
  async dropRemoved(): Promise<void> {
    const known = new Set((await this.#parts.store.list()).map(({ id }) => id));
    await this.#dropUnknown(known);
  }

  async #dropUnknown(known: ReadonlySet<string>, ofUser?: string): Promise<void> {
    for (const { opened } of this.#open.values()) {
      if (opened === undefined || known.has(opened.workspace.id)) continue;
      const { userId, root } = opened.workspace;
      if (ofUser === undefined || userId === ofUser) await this.#dropDeleted(userId, root);
    }
  }

  /** Another process may have removed a workspace that is open here. */
  async #dropDeleted(userId: string, root: string): Promise<void> {
    const key = keyOf(userId, root);
    const open = this.#open.get(key);
    const sync = await open?.sync.catch(() => undefined);
    if (sync === undefined || (await this.#parts.store.find({ userId, root }))?.id === sync.workspace.id) return;
    if (this.#open.get(key) === open) this.#open.delete(key);
    await sync.stop();
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
    await Promise.all(open.map(async ({ sync }) => (await sync.catch(() => undefined))?.stop()));
    await Promise.allSettled(this.#removing.values());
  }

  /** Those of other machines count where their servers share the store: in a copy of a store they are nobody's. */
  async #known(userId: string): Promise<Workspace[]> {
    const { store, isShared = false } = this.#parts;
    const all = await store.list(userId);
    await this.#dropUnknown(new Set(all.map(({ id }) => id)), userId);
    return all.filter((workspace) => workspace.server === 'local' && (isShared || this.isHere(workspace)));
  }

  #withMachine(found: WorkspaceWithHealth): WorkspaceWithHealth {
    return this.#parts.isShared === true ? { ...found, machine: found.workspace.host } : found;
  }

  /** Asking which of its blobs are there counts as use, once a day. */
  async #lastSynced({ id, userId, updatedAt }: Workspace): Promise<BlobView> {
    const { store, blobs } = this.#parts;
    const version = `${updatedAt} ${blobs.removals} ${Math.floor(Date.now() / DAY_MS)}`;
    const kept = this.#elsewhere.get(id);
    if (kept?.version === version) return kept.view;
    const blobNames = await blobs.owned(userId, await store.blobNames(id));
    const view = { key: digestOfSet(blobNames), blobNames };
    this.#elsewhere.set(id, { version, view });
    return view;
  }

  async #healthOf(workspace: Workspace): Promise<SyncHealth> {
    const { id, userId, root } = workspace;
    if (!this.isHere(workspace)) return { state: 'ready', files: await this.#parts.store.countFiles(id) };
    const key = keyOf(userId, root);
    const open = this.#open.get(key);
    const health = open?.opened?.health;
    const files = health?.files ?? (await this.#parts.store.countFiles(id));
    if (!isFolder(root))
      return {
        state: 'problem',
        files,
        problem: `${root} is not there any more. Put it back, or remove the workspace.`,
      };
    if (health !== undefined) return health;
    if (open !== undefined) return { state: 'scanning', files };
    const problem = this.#notOpened.get(key);
    return problem === undefined ? { state: 'unseen', files } : { state: 'problem', files, problem };
  }

  async #openSync(userId: string, root: string, onProgress?: (progress: SyncProgress) => void): Promise<WorkspaceSync> {
    const { store, serverOf, log, watch, maxBlobBytes, extensions } = this.#parts;
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
        extensions: extensions?.(),
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
      for (const name of (await open.sync.catch(() => undefined))?.view().blobNames ?? []) others.add(name);
    }
    return names.filter((name) => !others.has(name));
  }
}

function keyOf(userId: string, root: string): string {
  return `${userId}\n${root}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
