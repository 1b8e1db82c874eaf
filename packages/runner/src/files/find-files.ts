import { stat } from 'node:fs/promises';
import type { FoundFiles } from '@dragoman/protocol';
import type { RepositoryOptions } from '../git/open-repository.ts';
import { filePaths } from './file-paths.ts';
import { insidePath } from './inside-path.ts';
import { rankPaths } from './rank-paths.ts';

/** People type a word in less, and a new file is found soon enough. */
const KEPT_MS = 5_000;
/** Files that git knows of and that are gone; so many are looked at in vain. */
const MOST_GONE = 200;

/** Files by a part of their path. The list of a folder is kept for a moment, because each letter that is typed asks anew. */
export class FileFinder {
  readonly #lists = new Map<string, { paths: Promise<string[]>; timer: NodeJS.Timeout }>();

  /** The likeliest files of a folder. */
  async find(options: RepositoryOptions, typed: string, limit: number): Promise<FoundFiles> {
    const { folder } = options;
    const ranked = await rankPaths(await this.#list(options), typed);
    const files: { path: string }[] = [];
    let gone = 0;
    for (const path of ranked) {
      if (files.length >= limit || gone > MOST_GONE) break;
      if (await isFileInside(folder, path)) files.push({ path });
      else gone += 1;
    }
    return { files };
  }

  /** Forgets every list. */
  close(): void {
    for (const { timer } of this.#lists.values()) clearTimeout(timer);
    this.#lists.clear();
  }

  #list(options: RepositoryOptions): Promise<string[]> {
    const { folder } = options;
    const known = this.#lists.get(folder);
    if (known !== undefined) return known.paths;
    const forget = () => {
      if (this.#lists.get(folder)?.timer === timer) this.#lists.delete(folder);
    };
    const timer = setTimeout(forget, KEPT_MS);
    timer.unref();
    // Others may wait for the same list, so it does not end with who asked first; it has limits of its own.
    const paths = filePaths({ ...options, signal: undefined });
    paths.catch(() => {
      clearTimeout(timer);
      forget();
    });
    this.#lists.set(folder, { paths, timer });
    return paths;
  }
}

async function isFileInside(root: string, path: string): Promise<boolean> {
  try {
    return (await stat((await insidePath(root, path)).real)).isFile();
  } catch {
    return false;
  }
}
