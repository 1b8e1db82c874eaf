import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { KnownFolder, RejectedEntry } from '../walk/scan-folder.ts';

/** Changes with what the fields mean, and with the built-in rules: what was kept by another version is not used. */
const VERSION = 1;
/**
 * A file's path may be too long to be kept, and a folder that is known is not listed: its files would never be seen
 * again. Names have at most 255 bytes, so the files of these folders always fit.
 */
const LONGEST_PATH = 1_700;

interface Kept {
  version: number;
  folders: [string, KnownFolder][];
  rejected: [string, RejectedEntry[]][];
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/**
 * What is known of a workspace's folders: how they were when they were listed, and what the rules left out in them. A
 * folder that is the same as then is not listed again, which is most of a look through an unchanged workspace.
 */
export class KnownFolders {
  readonly folders = new Map<string, KnownFolder>();
  /** By folder. */
  readonly rejected = new Map<string, RejectedEntry[]>();
  #hasChanged = false;

  get hasChanged(): boolean {
    return this.#hasChanged;
  }

  set(path: string, folder: KnownFolder, rejected: RejectedEntry[] | undefined): void {
    this.folders.set(path, folder);
    this.setRejected(path, rejected);
  }

  setRejected(path: string, rejected: RejectedEntry[] | undefined): void {
    if (rejected === undefined) this.rejected.delete(path);
    else this.rejected.set(path, rejected);
    this.#hasChanged = true;
  }

  delete(path: string): void {
    this.folders.delete(path);
    this.rejected.delete(path);
    this.#hasChanged = true;
  }

  /** To be kept. It counts as kept from here on, as it is at this moment. */
  pack(): Promise<Uint8Array> {
    this.#hasChanged = false;
    const isKeepable = ([path]: [string, unknown]) => Buffer.byteLength(path) <= LONGEST_PATH;
    const kept: Kept = {
      version: VERSION,
      folders: [...this.folders].filter(isKeepable),
      rejected: [...this.rejected].filter(isKeepable),
    };
    return compress(JSON.stringify(kept));
  }

  /** Keeping failed: it is to be done still. */
  keepAgain(): void {
    this.#hasChanged = true;
  }

  async unpack(bytes: Uint8Array): Promise<void> {
    const kept = JSON.parse((await decompress(bytes)).toString()) as Kept;
    if (kept.version !== VERSION) return;
    for (const [path, folder] of kept.folders) this.folders.set(path, folder);
    for (const [path, rejected] of kept.rejected) this.rejected.set(path, rejected);
  }
}
