import { basename, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol/error';
import type { BlobServer } from '../../blob-server.ts';
import type { BlobView } from '../../blob-view.ts';
import { DEFAULT_MAX_BLOB_BYTES } from '../filter/check-content.ts';
import { type Clock, systemClock } from '../pipeline/clock.ts';
import { FileManager } from '../pipeline/file-manager.ts';
import type { FileMetrics } from '../pipeline/file-metrics.ts';
import { PathMap } from '../pipeline/path-map.ts';
import type { SyncLog } from '../pipeline/sync-log.ts';
import { PathMetrics } from '../walk/path-metrics.ts';
import {
  type RejectedEntry,
  type ScanBatch,
  scanFolder,
  type ScanOptions,
  ScanRootError,
} from '../walk/scan-folder.ts';
import { expectScan, startScan } from '../walk/start-scan.ts';
import type { Workspace, WorkspaceStore } from '../workspace-store.ts';
import { KnownFolders } from './known-folders.ts';
import { HealthNotes, type SyncHealth } from './sync-health.ts';
import { type FolderWatch, type Subscribe, watchFolder } from './watch-folder.ts';

export interface WorkspaceSyncOptions {
  /** Absolute. */
  root: string;
  userId: string;
  store: WorkspaceStore;
  server: BlobServer;
  /** Where the server is: `local`, or its address. */
  serverName?: string;
  name?: string;
  log: SyncLog;
  /** Whether changes are followed by themselves. */
  watch: boolean;
  /** The largest blob. What the server announces is followed, as far as it is within this. */
  maxBlobBytes?: number;
  /** Only files with these are followed, where given. */
  extensions?: readonly string[] | undefined;
  maxUploads?: number;
  probeBatchSize?: number;
  onProgress?: (progress: SyncProgress) => void;
  clock?: Clock;
  /** The watcher, where it is not the system's. */
  subscribe?: Subscribe;
}

/** How far a refresh has come. */
export interface SyncProgress {
  isScanning: boolean;
  /** Files looked at since the refresh began, and the bytes of those that had to be read. */
  files: number;
  bytes: number;
  /** Blobs sent since the workspace was opened. */
  uploaded: number;
  uploadedBytes: number;
  /** Files that the server was to be asked about since the workspace was opened. */
  taken: number;
  /** Those of them that it has not confirmed yet. */
  remaining: number;
}

/** Files and folders that are left out for one reason. */
export interface RejectionCount {
  reason: string;
  count: number;
  example: string;
}

/** A file or folder that is left out. */
export interface LeftOutPath {
  /** Relative to the root, with `/`. */
  path: string;
  /** The layer of rules that did it, or what is wrong with the file. */
  reason: string;
}

export interface WorkspaceSync {
  readonly workspace: Workspace;
  readonly metrics: FileMetrics;
  readonly pathMetrics: PathMetrics;
  readonly progress: SyncProgress;
  readonly health: SyncHealth;
  /** False when every refresh looks at all files. */
  readonly isWatching: boolean;
  /**
   * Resolves when what was on disk at the time of the call can be found. Calls at the same time share the work. It is
   * over at once where the folder is watched and nothing has changed.
   */
  refresh(signal?: AbortSignal): Promise<void>;
  /** The blobs that can be found now. */
  view(): BlobView;
  /** The blob of the file at this path, where it can be found. */
  blobAt(path: string): string | undefined;
  /** What is left out and why, the most frequent reason first. */
  rejections(): RejectionCount[];
  /** The same, one by one. */
  leftOut(): Iterable<LeftOutPath>;
  /** Begins to look at every file, whatever was heard of changes. A refresh waits for that. */
  lookAgain(): void;
  /** Asks the server again about everything at the next refresh, for when it turns out to have forgotten something. */
  recheck(): void;
  /** Saves what is known, and ends. */
  stop(): Promise<void>;
}

/** A workspace is one folder. */
const FOLDER = 0;
/** So much is looked at right here, in short turns. For more, a thread is worth its start. */
const MAX_PATHS_HERE = 200;
const MAX_FILES_HERE = 2_000;
const MAX_MS_HERE = 100;
const TURN_MS = 20;
/** Looking at a path costs a look at every folder above it. */
const MAX_LEVELS_HERE = 100;
const BATCH_HERE = 100;
const SAVE_AFTER_MS = 500;
/** How long a server that is away, and a watch that broke, are left alone. */
const TRY_AGAIN_MS = 60_000;

/** Opens a workspace with what is remembered of it. Nothing is looked at before the first refresh. */
export async function openWorkspaceSync(options: WorkspaceSyncOptions): Promise<WorkspaceSync> {
  const { store, userId, serverName = 'local' } = options;
  const root = resolve(options.root);
  expectScan();
  const workspace = await store.open({ userId, root, name: options.name ?? basename(root), server: serverName });
  const pathMap = new PathMap();
  pathMap.load(FOLDER, await store.loadFiles(workspace.id));
  const folders = new KnownFolders();
  const kept = await store.loadFolders(workspace.id);
  if (kept !== undefined) await folders.unpack(kept);
  return new OpenWorkspace({ ...options, root }, workspace, pathMap, folders);
}

class OpenWorkspace implements WorkspaceSync {
  readonly workspace: Workspace;
  readonly #options: WorkspaceSyncOptions;
  readonly #clock: Clock;
  readonly #pathMap: PathMap;
  readonly #manager: FileManager;
  readonly #stopping = new AbortController();
  readonly #folders: KnownFolders;
  /** Folders that the last sweep could not look into, and why. */
  readonly #unreadable = new Map<string, string>();
  /** Rejections of a scan whose folders have not come yet. */
  #loose = new Map<string, RejectedEntry[]>();
  #maxBytes: number;
  #hasLimit = false;
  /** What is to be looked at next, and who waits for that. */
  #needsSweep = true;
  #changed = new Set<string>();
  #next: PromiseWithResolvers<void> | undefined;
  #current: Promise<void> | undefined;
  #worker: Promise<void> | undefined;
  #watch: FolderWatch | undefined;
  #watchedWithout = '';
  #watchAgainAt = 0;
  #scanned = { files: 0, bytes: 0 };
  #isScanning = false;
  readonly #health = new HealthNotes();
  readonly pathMetrics = new PathMetrics();
  #saveTimer: (() => void) | undefined;
  #retryTimer: (() => void) | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: WorkspaceSyncOptions, workspace: Workspace, pathMap: PathMap, folders: KnownFolders) {
    this.workspace = workspace;
    this.#folders = folders;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#pathMap = pathMap;
    this.#maxBytes = options.maxBlobBytes ?? DEFAULT_MAX_BLOB_BYTES;
    this.#manager = new FileManager(
      workspace.name,
      options.server,
      { rootOf: (folderId) => (folderId === FOLDER ? options.root : undefined) },
      pathMap,
      options.probeBatchSize,
      {
        log: options.log,
        clock: this.#clock,
        onProgress: () => this.#noteProgress(),
        ...(options.maxUploads === undefined ? {} : { maxUploads: options.maxUploads }),
      },
    );
  }

  get metrics(): FileMetrics {
    return this.#manager.metrics;
  }

  get isWatching(): boolean {
    return this.#watch !== undefined;
  }

  get progress(): SyncProgress {
    return {
      isScanning: this.#isScanning,
      ...this.#scanned,
      uploaded: this.#manager.metrics.counters['blobs uploaded'],
      uploadedBytes: this.#manager.uploadedBytes,
      taken: this.#manager.taken,
      remaining: this.#manager.inWork,
    };
  }

  get health(): SyncHealth {
    return this.#health.tell({
      files: this.#pathMap.found,
      isScanning: this.#isScanning || this.#next !== undefined || this.#current !== undefined,
      taken: this.#manager.taken,
      awaited: this.#manager.awaited,
      trouble: this.#manager.trouble,
    });
  }

  async refresh(signal?: AbortSignal): Promise<void> {
    this.#throwIfOver(signal);
    if (this.#watch !== undefined) await this.#hearEvents();
    if (this.#manager.takeTrouble() !== undefined) this.#manager.ingestUnconfirmed(FOLDER);
    if (this.#watch === undefined) this.#needsSweep = true;
    const work = this.#needsSweep || this.#changed.size > 0 ? this.#schedule() : this.#current;
    if (work !== undefined) await untilAborted(work, signal);
    await this.#manager.whenSettled(signal);
    const trouble = this.#manager.takeTrouble();
    if (trouble !== undefined) {
      this.#needsSweep = true;
      this.#health.noteProblem(trouble);
      throw trouble;
    }
  }

  /** What the system has to tell already. After one turn it has, unless that one was in the middle of telling. */
  async #hearEvents(): Promise<void> {
    await setImmediate();
    await setImmediate();
    this.#watch?.flush();
  }

  view(): BlobView {
    return this.#pathMap.view();
  }

  blobAt(path: string): string | undefined {
    const entry = this.#pathMap.get(FOLDER, path);
    return entry !== undefined && entry.status > 0 ? entry.blobName : undefined;
  }

  rejections(): RejectionCount[] {
    const counts = new Map<string, RejectionCount>();
    for (const { path, reason } of this.leftOut()) {
      const known = counts.get(reason);
      if (known === undefined) counts.set(reason, { reason, count: 1, example: path });
      else known.count++;
    }
    return [...counts.values()].sort((a, b) => b.count - a.count);
  }

  *leftOut(): Generator<LeftOutPath> {
    for (const entries of this.#folders.rejected.values())
      for (const { layer, path, type, reason } of entries) yield { path, reason: type === 'Other' ? reason : layer };
    for (const [path, reason] of this.#unreadable) yield { path, reason };
    yield* this.#manager.leftOut(FOLDER);
  }

  lookAgain(): void {
    this.#needsSweep = true;
    void this.#schedule();
  }

  recheck(): void {
    this.#pathMap.forgetConfirmations(FOLDER);
    this.#needsSweep = true;
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort();
    this.#retryTimer?.();
    this.#saveTimer?.();
    this.#manager.stop();
    await this.#worker;
    await this.#watch?.stop();
    this.#watch = undefined;
    await this.#save();
  }

  /** Work begins with the next turn; what is asked for until then is part of it. */
  #schedule(): Promise<void> {
    this.#next ??= Promise.withResolvers<void>();
    const { promise } = this.#next;
    promise.catch(() => {}); // In the background nobody waits for it.
    this.#worker ??= this.#work();
    return promise;
  }

  /** One thing after the other. Whatever is asked for while one is under way is done after it, all at once. */
  async #work(): Promise<void> {
    while (this.#next !== undefined) {
      await setImmediate();
      const { promise, resolve: done, reject } = this.#next;
      this.#next = undefined;
      this.#current = promise;
      try {
        this.#throwIfOver();
        const wasSweep = await this.#lookAround();
        this.#health.noteLook();
        done();
        if (wasSweep && this.#options.watch) await this.#keepWatching();
      } catch (error) {
        if (!this.#stopping.signal.aborted) this.#health.noteProblem(error);
        reject(error);
      }
      this.#current = undefined;
    }
    this.#worker = undefined;
  }

  async #lookAround(): Promise<boolean> {
    await this.#askForLimit();
    const paths = [...this.#changed];
    this.#changed = new Set();
    this.#scanned = { files: 0, bytes: 0 };
    let isSweep = this.#needsSweep;
    this.#needsSweep = false;
    try {
      isSweep ||= await this.#scanPaths(paths);
      if (isSweep) await this.#sweep();
    } catch (error) {
      this.#needsSweep = true; // Half of it may be missing.
      throw error;
    }
    this.#scheduleSave();
    return isSweep;
  }

  async #sweep(): Promise<void> {
    this.#isScanning = true;
    this.#unreadable.clear();
    try {
      const counted = { ...this.pathMetrics.counters };
      if (!(await this.#sweepHere())) {
        Object.assign(this.pathMetrics.counters, counted); // The thread meets all of it again.
        await this.#sweepInThread();
      }
    } finally {
      this.#isScanning = false;
    }
    this.#noteLooseRejected();
    this.#manager.ingestUnconfirmed(FOLDER);
  }

  /** A small workspace has been looked at before a thread would be up. False when it turns out to be a large one. */
  async #sweepHere(): Promise<boolean> {
    if (this.#pathMap.entries(FOLDER).size > MAX_FILES_HERE) return false;
    const end = performance.now() + MAX_MS_HERE;
    let isLate = false;
    for (const batch of this.#scanHere({ batchSize: BATCH_HERE, ...this.#known() })) {
      if (isLate) return false;
      this.#takeIn(batch);
      await setImmediate();
      this.#throwIfOver();
      isLate = performance.now() > end;
    }
    return true;
  }

  async #sweepInThread(): Promise<void> {
    const scan = startScan({ ...this.#scanOptions(), ...this.#known(), signal: this.#stopping.signal });
    for await (const batch of scan) {
      this.#takeIn(batch);
      await setImmediate(); // Several may lie ready; others get a turn between them.
    }
  }

  /** True when the paths turned out to change the rules for others. */
  async #scanPaths(paths: readonly string[]): Promise<boolean> {
    if (paths.length > MAX_PATHS_HERE || paths.some(isDeep)) return true;
    for (const batch of this.#scanHere({ paths, turnMs: TURN_MS, ...this.#knownAt(paths) })) {
      if (batch.needsSweep !== undefined) return true;
      this.#takeIn(batch);
      await setImmediate();
    }
    this.#noteLooseRejected();
    return false;
  }

  *#scanHere(options: Partial<ScanOptions>): Generator<ScanBatch, void, void> {
    try {
      yield* scanFolder({ ...this.#scanOptions(), ...options });
    } catch (error) {
      throw error instanceof ScanRootError ? new DragomanError(error.code, error.message) : error;
    }
  }

  #known(): Pick<Required<ScanOptions>, 'knownFiles' | 'knownFolders'> {
    return { knownFiles: this.#pathMap.entries(FOLDER), knownFolders: this.#folders.folders };
  }

  #scanOptions(): ScanOptions {
    const { root, extensions } = this.#options;
    return {
      root,
      maxBytes: this.#maxBytes,
      ...(extensions === undefined ? {} : { extensions }),
    };
  }

  /** What is known at these paths and below them. Below a file that is known there is nothing. */
  #knownAt(paths: readonly string[]): Pick<Required<ScanOptions>, 'knownFiles' | 'knownFolders'> {
    const files = this.#pathMap.entries(FOLDER);
    const [knownFiles, knownFolders] = [new Map(), new Map()];
    const prefixes: string[] = [];
    for (const path of paths) {
      const entry = files.get(path);
      if (entry === undefined) prefixes.push(`${path}/`);
      else knownFiles.set(path, entry);
    }
    if (prefixes.length > 0) {
      const isBelow = (path: string) => prefixes.some((prefix) => path.startsWith(prefix));
      for (const [path, entry] of files) if (isBelow(path)) knownFiles.set(path, entry);
      for (const [path, folder] of this.#folders.folders) if (isBelow(`${path}/`)) knownFolders.set(path, folder);
    }
    return { knownFiles, knownFolders };
  }

  #takeIn(batch: ScanBatch): void {
    for (const path of batch.gone) this.#manager.removePath(FOLDER, path);
    for (const path of batch.goneFolders) this.#folders.delete(path);
    this.#manager.ingestScanned(FOLDER, batch);
    this.pathMetrics.add(batch);
    this.#noteFolders(batch);
    for (const { path, reason } of batch.unreadable) this.#unreadable.set(path, reason);
    this.#scanned.files += batch.files.length + batch.unchanged;
    for (const { size } of batch.files) this.#scanned.bytes += size;
    this.#noteProgress();
  }

  /** A folder comes after what was left out in it; until then the new list is not complete. */
  #noteFolders({ rejected, folders }: ScanBatch): void {
    for (const entry of rejected) {
      const folder = entry.path.slice(0, Math.max(0, entry.path.lastIndexOf('/')));
      const list = this.#loose.get(folder);
      if (list === undefined) this.#loose.set(folder, [entry]);
      else list.push(entry);
    }
    for (const { path, ...folder } of folders) {
      this.#folders.set(path, folder, this.#loose.get(path));
      this.#loose.delete(path);
    }
  }

  /** Those that were looked at by themselves, in folders that were not. */
  #noteLooseRejected(): void {
    for (const [folder, entries] of this.#loose) {
      const paths = new Set(entries.map(({ path }) => path));
      const others = this.#folders.rejected.get(folder)?.filter(({ path }) => !paths.has(path)) ?? [];
      this.#folders.setRejected(folder, [...others, ...entries]);
    }
    this.#loose = new Map();
  }

  /** The server's limit, asked for until it has answered. */
  async #askForLimit(): Promise<void> {
    if (this.#hasLimit) return;
    const { server, maxBlobBytes = Number.POSITIVE_INFINITY, log } = this.#options;
    try {
      const announced = await server.maxBlobBytes?.(this.#stopping.signal);
      if (announced !== undefined) this.#maxBytes = Math.min(announced, maxBlobBytes);
      this.#hasLimit = true;
    } catch (error) {
      log.debug({ err: error }, 'the server did not say how large a blob may be');
    }
    this.#manager.maxBlobBytes = this.#maxBytes;
  }

  /** After a sweep the folders are known that need no watching. A watch that begins is followed by one more look, for what changed before it. */
  async #keepWatching(): Promise<void> {
    const { root, log, subscribe } = this.#options;
    const ignore = this.#rejectedFolders();
    const without = ignore.join('\n');
    if (this.#watch !== undefined && without === this.#watchedWithout) return;
    if (this.#watch === undefined && this.#clock.now() < this.#watchAgainAt) return;
    await this.#watch?.stop();
    this.#watch = undefined;
    try {
      const watch = await watchFolder(
        root,
        {
          changed: (paths) => {
            for (const path of paths) this.#changed.add(path);
            void this.#schedule();
          },
          missed: () => {
            this.#needsSweep = true;
            void this.#schedule();
          },
          troubled: (error) => {
            this.#watch = undefined;
            this.#leaveWatching(error);
          },
        },
        { ignore, clock: this.#clock, ...(subscribe === undefined ? {} : { subscribe }) },
      );
      if (this.#stopping.signal.aborted) {
        await watch.stop();
        return;
      }
      this.#watch = watch;
      this.#watchedWithout = without;
      this.#needsSweep = true;
      void this.#schedule();
      log.debug({ root }, 'changes are watched');
    } catch (error) {
      this.#leaveWatching(error);
    }
  }

  #leaveWatching(error: unknown): void {
    const isGone = error instanceof DragomanError && error.code === 'not-found';
    this.#watchAgainAt = isGone ? 0 : this.#clock.now() + TRY_AGAIN_MS;
    this.#options.log.warn({ err: error }, 'changes are not watched; all files are looked at before each answer');
  }

  /** The ones nearest to the root first. */
  #rejectedFolders(): string[] {
    const folders: string[] = [];
    for (const entries of this.#folders.rejected.values())
      for (const { path, type } of entries) if (type === 'Directory') folders.push(path);
    const depth = (path: string) => path.split('/').length;
    return folders.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
  }

  #noteProgress(): void {
    this.#scheduleSave();
    this.#health.noteWork(this.#manager.taken, this.#manager.awaited);
    this.#options.onProgress?.(this.progress);
    if (this.#watch === undefined || this.#manager.trouble === undefined || this.#retryTimer !== undefined) return;
    this.#retryTimer = this.#clock.after(TRY_AGAIN_MS, () => {
      this.#retryTimer = undefined;
      if (this.#manager.takeTrouble() !== undefined) this.#manager.ingestUnconfirmed(FOLDER);
    });
  }

  #scheduleSave(): void {
    if (
      this.#saveTimer !== undefined ||
      this.#stopping.signal.aborted ||
      !(this.#pathMap.hasChanges(FOLDER) || this.#folders.hasChanged)
    )
      return;
    this.#saveTimer = this.#clock.after(SAVE_AFTER_MS, () => void this.#save());
  }

  #save(): Promise<void> {
    this.#saveTimer = undefined;
    this.#saving = this.#saving.then(async () => {
      // Both as they are at this moment, and the folders last: one that is kept has all its files kept.
      const changes = this.#pathMap.takeChanges(FOLDER);
      const folders = this.#folders.hasChanged ? this.#folders.pack() : undefined;
      if (changes.saved.length + changes.deleted.length === 0 && folders === undefined) return;
      try {
        await this.#options.store.saveChanges(this.workspace.id, changes);
        if (folders !== undefined) await this.#options.store.saveFolders(this.workspace.id, await folders);
      } catch (error) {
        this.#pathMap.returnChanges(FOLDER, changes);
        if (folders !== undefined) this.#folders.keepAgain();
        this.#options.log.error({ err: error }, 'what is known of the workspace could not be saved');
      }
    });
    return this.#saving;
  }

  #throwIfOver(signal?: AbortSignal): void {
    if (this.#stopping.signal.aborted || signal?.aborted === true) throw cancelled();
  }
}

/** Stops waiting when the signal says so; the work goes on for others. */
function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  return new Promise((done, reject) => {
    const leave = () => reject(cancelled());
    signal.addEventListener('abort', leave);
    void work.then(done, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function isDeep(path: string): boolean {
  return path.split('/', MAX_LEVELS_HERE + 1).length > MAX_LEVELS_HERE;
}

function cancelled(): DragomanError {
  return new DragomanError('cancelled', 'The refresh was cancelled.');
}
