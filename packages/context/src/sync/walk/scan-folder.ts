import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { DEFAULT_MAX_BLOB_BYTES, type LeftOutCode } from '../filter/check-content.ts';
import { type FolderEntry, PathFilter } from '../filter/path-filter.ts';
import { NAME_NOT_TEXT, type PathType, type RejectedPath } from '../filter/path-info.ts';
import { FileReader } from './file-reader.ts';
import { KnownTree } from './known-tree.ts';
import { listFolder } from './list-folder.ts';

/** What a file's or folder's `stat` says that changes when it is written. */
interface Stamp {
  mtimeMs: number;
  ctimeMs: number;
  inode: number;
}

/** What is remembered of a file from one scan to the next: it has a name, or a reason why it has none. */
export interface KnownFile extends Stamp {
  size: number;
  /** False when it was written so shortly before the scan that another write could look the same: it is read again next time. */
  isSettled: boolean;
  blobName: string | undefined;
  /** Why its content is not indexed. It is remembered, so that it is not read again while it does not change. */
  leftOut: LeftOutCode | undefined;
}

interface ScannedFile extends KnownFile {
  /** Relative to the root, with `/`. */
  path: string;
}

/** What is remembered of a folder, so that its listing is only read again when names in it or rules for it changed. */
export interface KnownFolder extends Stamp {
  isSettled: boolean;
  /** Equal keys mean the same rules for everything below. */
  rulesKey: string;
  /** The names in it that its rules depend on. */
  ruleNames: readonly string[];
  /** The names of the folders in it that are indexed. */
  folders: readonly string[];
}

interface ScannedFolder extends KnownFolder {
  /** Relative to the root, with `/`; the root itself is ''. */
  path: string;
}

/** An entry the rules leave out. What is below a folder left out is not looked at. */
export interface RejectedEntry {
  path: string;
  type: PathType;
  layer: string;
  reason: string;
}

export interface ScanOptions {
  /** Absolute. */
  root: string;
  /** From the last scan. A file that is the same as then costs one `stat`. */
  knownFiles?: ReadonlyMap<string, KnownFile>;
  /** From the last scan. A folder that is the same as then is not listed again. */
  knownFolders?: ReadonlyMap<string, KnownFolder>;
  /** Look only at these files and folders, relative to the root; all of it without. */
  paths?: readonly string[];
  /** The largest file that is read; 1 MiB without. */
  maxBytes?: number;
  /** Only files with these extensions (`.ts`), where given. */
  extensions?: readonly string[];
  /** How old a write must be before it is trusted that no later one looks the same; 2,000 without. 0 trusts at once. */
  settleMs?: number;
  /** The most entries in one batch; 500 without. */
  batchSize?: number;
  /** A batch is handed over after so many milliseconds, full or not; only when full without. */
  turnMs?: number;
}

/** Where the time of a scan went, in milliseconds. */
interface ScanTimings {
  readDir: number;
  filter: number;
  stat: number;
  /** Reading and naming files, their `stat` included. */
  calculate: number;
  /** While nobody asked for more. */
  yield: number;
  total: number;
}

/**
 * A piece of a scan's result. Take `gone` and `goneFolders` out of what is known, then put `files` and `folders` into it,
 * batch by batch: a folder comes after its files, so a scan that was cut off is made good by the next one.
 */
export interface ScanBatch {
  /** New, changed, or looked at again. Those that did not change are only counted. */
  files: ScannedFile[];
  unchanged: number;
  /** Known files that are deleted, or that the rules leave out now. */
  gone: string[];
  /** The folders that were listed. */
  folders: ScannedFolder[];
  goneFolders: string[];
  /** What the rules left out in the folders that were listed. */
  rejected: RejectedEntry[];
  /** Folders that could not be listed; what is known below them stays. */
  unreadable: { path: string; reason: string }[];
  /** Set when one of `paths` changes the rules for others: scan the whole folder then. */
  needsSweep: string | undefined;
  /** What was met since the last batch, left out or not. */
  met: Record<PathType, number>;
  timings: ScanTimings;
}

/** The root cannot be scanned. Nothing is said about what was known below it. */
export class ScanRootError extends Error {
  override readonly name: string = 'ScanRootError';
  readonly code: 'bad-request' | 'not-found';

  constructor(code: 'bad-request' | 'not-found', message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Walks a folder, and names what is new or changed in it.
 *
 * Synchronous, because that costs a third to a fifth of the asynchronous calls: it is meant to run in a thread of its own,
 * see `start-scan.ts`.
 */
export function* scanFolder(options: ScanOptions): Generator<ScanBatch, void, void> {
  const { root } = options;
  if (!isAbsolute(root)) throw new ScanRootError('bad-request', `The folder to scan must be an absolute path: ${root}`);
  const stats = statSync(root, { throwIfNoEntry: false });
  if (!stats) throw rootMissing(root);
  if (!stats.isDirectory()) throw new ScanRootError('bad-request', `${root} is not a folder`);

  const scan = new Scan(options);
  if (options.paths) yield* scan.paths(options.paths);
  else yield* scan.walk('');
  yield scan.takeBatch();
}

const DEFAULT_SETTLE_MS = 2_000;
const DEFAULT_BATCH_SIZE = 500;

class Scan {
  readonly #root: string;
  readonly #realRoot: string;
  readonly #maxBytes: number;
  readonly #settleMs: number;
  readonly #batchSize: number;
  readonly #turnMs: number;
  readonly #knownFiles: ReadonlyMap<string, KnownFile>;
  readonly #knownFolders: ReadonlyMap<string, KnownFolder>;
  readonly #tree: KnownTree;
  readonly #filter: PathFilter;
  readonly #reader = new FileReader();
  /** Paths that were asked about and are left out. */
  readonly #leftOut = new Set<string>();
  #batch = emptyBatch();
  #takenAt = performance.now();
  #turnBegan = performance.now();

  constructor(options: ScanOptions) {
    this.#root = options.root;
    this.#realRoot = realpathSync.native(options.root);
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BLOB_BYTES;
    this.#settleMs = options.settleMs ?? DEFAULT_SETTLE_MS;
    this.#batchSize = options.batchSize ?? DEFAULT_BATCH_SIZE;
    this.#turnMs = options.turnMs ?? Infinity;
    this.#knownFiles = options.knownFiles ?? new Map();
    this.#knownFolders = options.knownFolders ?? new Map();
    this.#tree = new KnownTree(this.#knownFiles.keys(), this.#knownFolders.keys());
    this.#filter = new PathFilter(options.root, { extensions: options.extensions });
  }

  takeBatch(): ScanBatch {
    const batch = this.#batch;
    batch.timings.total = performance.now() - this.#takenAt;
    this.#takenAt = performance.now();
    this.#batch = emptyBatch();
    return batch;
  }

  *#handOver(): Generator<ScanBatch, void, void> {
    const batch = this.takeBatch();
    const start = performance.now();
    yield batch;
    this.#turnBegan = performance.now();
    this.#time('yield', start);
  }

  /** The folder and everything below it. */
  *walk(start: string): Generator<ScanBatch, void, void> {
    const stack = [start];
    for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
      const listed = this.#openFolder(path);
      if (!listed) continue;
      const now = Date.now();
      for (const file of listed.files) {
        this.#lookAtFile(file, now);
        if (this.#isFull()) yield* this.#handOver();
      }
      if (listed.record) this.#batch.folders.push(listed.record);
      for (const name of listed.folders) stack.push(join(path, name));
      if (this.#isFull()) yield* this.#handOver();
    }
  }

  /** Only these, each with what is below it. */
  *paths(paths: readonly string[]): Generator<ScanBatch, void, void> {
    for (const path of new Set(paths.map(normalize))) {
      if (this.#holdsRules(path)) this.#batch.needsSweep = `${path} holds rules for other files`;
      const type = this.#find(path);
      if (type === 'Directory') {
        yield* this.walk(path);
      } else if (type !== 'unreadable') {
        this.#forget(path);
        if (type === 'File') this.#lookAtFile(path, Date.now());
      }
      if (type !== 'File' && type !== 'unreadable' && this.#knownFiles.has(path)) this.#batch.gone.push(path);
      if (this.#isFull()) yield* this.#handOver();
    }
  }

  /** What an indexed path is; undefined when it is not there, is left out, or is in something left out. */
  #find(path: string): PathType | 'unreadable' | undefined {
    if (path === '') return 'Directory';
    if (this.#leftOut.has(path)) return undefined;
    // Not a way to anything below the root.
    if (path === '..' || path.endsWith('/..')) return undefined;
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    const name = path.slice(slash + 1);
    const parent = this.#find(folder);
    if (parent !== 'Directory') return parent === 'unreadable' ? parent : undefined;
    let stats: Stats | undefined;
    try {
      stats = this.#stat(path);
    } catch (error) {
      this.#batch.unreadable.push({ path, reason: `Not readable (${codeOf(error)})` });
      return 'unreadable';
    }
    if (!stats) return undefined;
    const type = stats.isFile() ? 'File' : stats.isDirectory() ? 'Directory' : 'Other';
    this.#batch.met[type]++;
    const start = performance.now();
    const info = this.#filter.makeLocalFilter(folder).getPathInfo(name, type);
    this.#time('filter', start);
    if (info.accepted) return type;
    this.#leftOut.add(path);
    this.#reject(path, type, info);
    return undefined;
  }

  #holdsRules(path: string): boolean {
    const folder = /^(?:(.*)\/)?(?:\.gitignore|\.augmentignore|\.dragomanignore|\.git|\.git\/info\/exclude)$/s.exec(
      path,
    );
    return folder !== null && this.#find(folder[1] ?? '') === 'Directory';
  }

  /** What to look at in a folder: from its listing or, when that has not changed, from what is known. */
  #openFolder(path: string): OpenedFolder | undefined {
    // Time and stamp are taken before the listing, so that a later change shows in the next scan.
    const now = Date.now();
    try {
      const stats = this.#stat(path);
      if (!stats?.isDirectory()) return this.#missFolder(path);
      const known = this.#knownFolders.get(path);
      if (known?.isSettled && isSameStamp(known, stats)) {
        const rules: FolderEntry[] = known.ruleNames.map((name) => ({ name, type: 'File' }));
        if (this.#filter.makeLocalFilter(path, rules).rulesKey === known.rulesKey) {
          const files = this.#tree.filesIn(path);
          this.#batch.met.File += files.length;
          this.#batch.met.Directory += known.folders.length;
          return { files, folders: known.folders, record: undefined };
        }
      }
      return this.#listFolder(path, this.#stampOf(stats, now));
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return this.#missFolder(path);
      this.#batch.unreadable.push({ path, reason: `Folder not readable (${code})` });
      return undefined;
    }
  }

  #missFolder(path: string): undefined {
    if (path === '') throw rootMissing(this.#root);
    this.#forget(path);
  }

  #listFolder(path: string, stamp: SettledStamp): OpenedFolder {
    const started = performance.now();
    const entries = listFolder(this.#absolute(path));
    this.#time('readDir', started);
    const listed = performance.now();
    const filter = this.#filter.makeLocalFilter(path, entries);
    const files: string[] = [];
    const folders: string[] = [];
    for (const { name, type, isNameText } of entries) {
      this.#batch.met[type]++;
      const info = isNameText ? filter.getPathInfo(name, type) : NAME_NOT_TEXT;
      if (!info.accepted) this.#reject(join(path, name), type, info);
      else if (type === 'Directory') folders.push(name);
      else files.push(join(path, name));
    }
    this.#time('filter', listed);
    this.#forgetOthers(path, files, folders);
    const { rulesKey, ruleNames } = filter;
    return { files, folders, record: { path, ...stamp, rulesKey, ruleNames, folders } };
  }

  #lookAtFile(path: string, now: number): void {
    const start = performance.now();
    this.#calculate(path, now);
    this.#time('calculate', start);
  }

  #calculate(path: string, now: number): void {
    const known = this.#knownFiles.get(path);
    if (known?.isSettled && this.#isUnchanged(path, known)) {
      this.#batch.unchanged++;
      return;
    }
    const reading = this.#reader.read(`${this.#realRoot}/${path}`, path, this.#maxBytes);
    if (reading === 'gone') {
      if (known) this.#batch.gone.push(path);
      return;
    }
    const { leftOut, stats } = reading;
    const stamp = stats ? this.#stampOf(stats, now) : NO_STAMP;
    // Both may be over the next time without a change to the file.
    const isSettled = stamp.isSettled && leftOut !== 'changed-while-read' && leftOut !== 'unreadable';
    const blobName = leftOut === undefined ? reading.blobName : undefined;
    this.#batch.files.push({ path, size: stats?.size ?? 0, ...stamp, isSettled, blobName, leftOut });
  }

  #isUnchanged(path: string, known: KnownFile): boolean {
    try {
      const stats = this.#stat(path);
      if (!stats?.isFile() || stats.size !== known.size || !isSameStamp(known, stats)) return false;
      // The limit may be another one now.
      return stats.size > this.#maxBytes === (known.leftOut === 'too-large');
    } catch {
      return false;
    }
  }

  #stampOf(stats: Stats, now: number): SettledStamp {
    const { mtimeMs, ctimeMs, ino } = stats;
    // A program can set the time of the last write, but not that of the last change.
    return { mtimeMs, ctimeMs, inode: ino, isSettled: this.#settleMs === 0 || now - ctimeMs >= this.#settleMs };
  }

  #forgetOthers(path: string, files: readonly string[], folders: readonly string[]): void {
    const knownFiles = this.#tree.filesIn(path);
    const presentFiles = knownFiles.length > 0 ? new Set(files) : undefined;
    for (const file of knownFiles) if (!presentFiles?.has(file)) this.#batch.gone.push(file);
    const knownFolders = this.#tree.foldersIn(path);
    const presentFolders = knownFolders.length > 0 ? new Set(folders.map((name) => join(path, name))) : undefined;
    for (const folder of knownFolders) if (!presentFolders?.has(folder)) this.#forget(folder);
  }

  /** A folder that is gone, with all that was known in it. */
  #forget(path: string): void {
    const { files, folders } = this.#tree.below(path);
    for (const file of files) this.#batch.gone.push(file);
    for (const folder of folders) this.#batch.goneFolders.push(folder);
  }

  #reject(path: string, type: PathType, info: RejectedPath): void {
    this.#batch.rejected.push({ path, type, layer: info.layer, reason: info.format() });
  }

  #isFull(): boolean {
    const { files, gone, rejected } = this.#batch;
    const size = files.length + gone.length + rejected.length;
    return size >= this.#batchSize || performance.now() - this.#turnBegan > this.#turnMs;
  }

  #absolute(path: string): string {
    return path === '' ? this.#root : `${this.#root}/${path}`;
  }

  /** The root may be a link; nothing else is followed. */
  #stat(path: string): Stats | undefined {
    const stat = path === '' ? statSync : lstatSync;
    const start = performance.now();
    try {
      return stat(this.#absolute(path), { throwIfNoEntry: false });
    } finally {
      this.#time('stat', start);
    }
  }

  #time(timing: keyof ScanTimings, start: number): void {
    this.#batch.timings[timing] += performance.now() - start;
  }
}

function rootMissing(root: string): ScanRootError {
  return new ScanRootError('not-found', `There is no folder ${root}`);
}

interface OpenedFolder {
  /** Paths. */
  files: readonly string[];
  /** Names. */
  folders: readonly string[];
  /** Absent when it has not changed. */
  record: ScannedFolder | undefined;
}

type SettledStamp = Stamp & { isSettled: boolean };

const NO_STAMP: SettledStamp = { mtimeMs: 0, ctimeMs: 0, inode: 0, isSettled: false };

function isSameStamp(known: Stamp, stats: Stats): boolean {
  return known.mtimeMs === stats.mtimeMs && known.ctimeMs === stats.ctimeMs && known.inode === stats.ino;
}

function emptyBatch(): ScanBatch {
  return {
    files: [],
    unchanged: 0,
    gone: [],
    folders: [],
    goneFolders: [],
    rejected: [],
    unreadable: [],
    needsSweep: undefined,
    met: { File: 0, Directory: 0, Other: 0 },
    timings: { readDir: 0, filter: 0, stat: 0, calculate: 0, yield: 0, total: 0 },
  };
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Without `.`, doubled and trailing slashes. */
function normalize(path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.join('/');
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
