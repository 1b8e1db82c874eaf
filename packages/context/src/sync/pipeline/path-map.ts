import type { BlobView } from '../../blob-view.ts';
import type { KnownFile } from '../walk/scan-folder.ts';
import { BlobSet } from './blob-set.ts';

/** A followed file: how it looked when it was last read, and the name of its blob or the reason why it has none. */
export interface PathEntry extends KnownFile {
  /** Above 0 when the server has said that the blob can be found. */
  status: number;
}

export interface FollowedFile extends PathEntry {
  path: string;
}

/** What was written to the map since it was last saved. */
export interface PathChanges {
  saved: FollowedFile[];
  deleted: string[];
}

const UNCONFIRMED = 0;
const CONFIRMED = 1;

/**
 * The files of a workspace, folder by folder: the names of their blobs, and which of those the server has.
 *
 * A new name is always unconfirmed. So a map that was saved at any moment, even one right before the power went, says
 * nothing that is not so.
 */
export class PathMap {
  readonly #folders = new Map<number, Map<string, PathEntry>>();
  readonly #changed = new Map<number, Set<string>>();
  readonly #confirmed = new BlobSet();

  /** Begins a folder with what was saved earlier. The map is the path map's own from here on. */
  load(folderId: number, entries: Map<string, PathEntry>): void {
    this.#folders.set(folderId, entries);
    for (const entry of entries.values()) if (entry.status > 0) this.#confirmed.add(entry.blobName!);
  }

  get(folderId: number, path: string): Readonly<PathEntry> | undefined {
    return this.#folders.get(folderId)?.get(path);
  }

  entries(folderId: number): ReadonlyMap<string, Readonly<PathEntry>> {
    return this.#entriesOf(folderId);
  }

  /** A file as it was just read. A confirmation stays only where the name is the one that was confirmed. */
  set(folderId: number, path: string, file: KnownFile): Readonly<PathEntry> {
    const entries = this.#entriesOf(folderId);
    const old = entries.get(path);
    const isSameBlob = old !== undefined && old.blobName === file.blobName;
    if (isSameBlob && old.isSettled === file.isSettled && old.leftOut === file.leftOut && looksSame(old, file))
      return old;
    if (old !== undefined && old.status > 0 && !isSameBlob) this.#confirmed.delete(old.blobName!);
    const { size, mtimeMs, ctimeMs, inode, isSettled, blobName, leftOut } = file;
    const status = isSameBlob ? old.status : UNCONFIRMED;
    const entry = { size, mtimeMs, ctimeMs, inode, isSettled, blobName, leftOut, status };
    entries.set(path, entry);
    this.#noteChange(folderId, path);
    return entry;
  }

  /** The server has said that this blob can be found. A name the path no longer has is not confirmed by that. */
  confirm(folderId: number, path: string, blobName: string): void {
    const entry = this.#folders.get(folderId)?.get(path);
    if (entry === undefined || entry.blobName !== blobName || entry.status > 0) return;
    entry.status = CONFIRMED;
    this.#confirmed.add(blobName);
    this.#noteChange(folderId, path);
  }

  /** Whatever the server confirmed has to be asked again. */
  forgetConfirmations(folderId: number): void {
    for (const [path, entry] of this.#entriesOf(folderId)) {
      if (entry.status <= 0) continue;
      entry.status = UNCONFIRMED;
      this.#confirmed.delete(entry.blobName!);
      this.#noteChange(folderId, path);
    }
  }

  delete(folderId: number, path: string): void {
    const entries = this.#entriesOf(folderId);
    const old = entries.get(path);
    if (old === undefined) return;
    if (old.status > 0) this.#confirmed.delete(old.blobName!);
    entries.delete(path);
    this.#noteChange(folderId, path);
  }

  /** How many blobs can be found now. */
  get found(): number {
    return this.#confirmed.size;
  }

  /** The blobs that can be found now. */
  view(): BlobView {
    return this.#confirmed.view();
  }

  /** What is to be saved. It counts as saved from here on; see `returnChanges`. */
  takeChanges(folderId: number): PathChanges {
    const entries = this.#entriesOf(folderId);
    const changes: PathChanges = { saved: [], deleted: [] };
    for (const path of this.#changed.get(folderId) ?? []) {
      const entry = entries.get(path);
      if (entry === undefined) changes.deleted.push(path);
      else changes.saved.push({ path, ...entry });
    }
    this.#changed.delete(folderId);
    return changes;
  }

  /** Saving failed: these are to be saved still, as they are by then. */
  returnChanges(folderId: number, { saved, deleted }: PathChanges): void {
    for (const { path } of saved) this.#noteChange(folderId, path);
    for (const path of deleted) this.#noteChange(folderId, path);
  }

  hasChanges(folderId: number): boolean {
    return this.#changed.has(folderId);
  }

  #entriesOf(folderId: number): Map<string, PathEntry> {
    let entries = this.#folders.get(folderId);
    if (entries === undefined) {
      entries = new Map();
      this.#folders.set(folderId, entries);
    }
    return entries;
  }

  #noteChange(folderId: number, path: string): void {
    const paths = this.#changed.get(folderId);
    if (paths === undefined) this.#changed.set(folderId, new Set([path]));
    else paths.add(path);
  }
}

/** What a file's `stat` says that changes when it is written. */
type FileLook = Pick<KnownFile, 'size' | 'mtimeMs' | 'ctimeMs' | 'inode'>;

function looksSame(a: FileLook, b: FileLook): boolean {
  return a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.inode === b.inode;
}
