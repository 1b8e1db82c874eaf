import { isAbsolute, join, relative, sep } from 'node:path';
import { DragomanError } from '@dragoman/protocol/error';
import { type FolderEntry, type PathFilter } from '../filter/path-filter.ts';
import { NAME_NOT_TEXT, type PathInfo, type PathType, folderUnreadable } from '../filter/path-info.ts';
import { type ListedEntry, listFolder } from './list-folder.ts';
import { PathMetrics } from './path-metrics.ts';

/** The path relative to the root has a `/` at its end for a folder. */
export type WalkedPath = [absolutePath: string, relativePath: string, type: PathType, info: PathInfo];

export interface PathWalkerOptions {
  /** Milliseconds, to see when others must get their turn. */
  now?: () => number;
  listFolder?: (folder: string) => readonly (FolderEntry & Partial<ListedEntry>)[];
}

/** The longest time for which a walk keeps the event loop to itself. */
const TURN_MS = 200;

/**
 * Walks a folder on the thread it is called on, entry by entry.
 *
 * First come all entries of a folder, then those of its sub-folders, the last one first. What the filter leaves out comes
 * too, with the reason, and is not entered. A folder that turns out not to be readable comes once more, with that reason.
 * To name all files of a folder, `start-scan.ts` is faster.
 */
export class PathWalker implements AsyncIterable<WalkedPath> {
  readonly name: string;
  readonly metrics = new PathMetrics();
  readonly #start: string;
  readonly #root: string;
  readonly #filter: PathFilter;
  readonly #now: () => number;
  readonly #list: NonNullable<PathWalkerOptions['listFolder']>;

  constructor(
    name: string,
    startFolder: string,
    rootFolder: string,
    filter: PathFilter,
    options: PathWalkerOptions = {},
  ) {
    if (!isAbsolute(startFolder)) throw refusal('startUri must contain an absolute pathname');
    if (!isAbsolute(rootFolder)) throw refusal('rootUri must contain an absolute pathname');
    const way = relative(rootFolder, startFolder);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw refusal('startUri must be inside rootUri');
    this.name = name;
    this.#start = way.split(sep).join('/');
    this.#root = rootFolder;
    this.#filter = filter;
    this.#now = options.now ?? (() => performance.now());
    this.#list = options.listFolder ?? listFolder;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WalkedPath, void, void> {
    const { timings } = this.metrics;
    const started = performance.now();
    let turn = this.#now();
    const stack = [this.#start];
    try {
      for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
        if (this.#now() - turn >= TURN_MS) turn = await this.#giveTurn();
        const path = join(this.#root, folder);
        const entries = this.#open(path);
        if (entries instanceof Error) {
          const code = (entries as NodeJS.ErrnoException).code ?? entries.message;
          yield* this.#emit([path, folder === '' ? '' : `${folder}/`, 'Directory', folderUnreadable(code)]);
          continue;
        }
        const filter = this.#filter.makeLocalFilter(folder, entries);
        for (const { name, type, isNameText } of entries) {
          if (name === '.' || name === '..') continue;
          if (this.#now() - turn >= TURN_MS) turn = await this.#giveTurn();
          const filtering = performance.now();
          const info = isNameText === false ? NAME_NOT_TEXT : filter.getPathInfo(name, type);
          timings.filter += performance.now() - filtering;
          const relativePath = folder === '' ? name : `${folder}/${name}`;
          yield* this.#emit([join(path, name), type === 'Directory' ? `${relativePath}/` : relativePath, type, info]);
          if (type === 'Directory' && info.accepted) stack.push(relativePath);
        }
      }
    } finally {
      timings.total += performance.now() - started;
    }
  }

  async #giveTurn(): Promise<number> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#now();
  }

  #open(path: string): readonly (FolderEntry & Partial<ListedEntry>)[] | Error {
    const started = performance.now();
    try {
      return this.#list(path);
    } catch (error) {
      return error as Error;
    } finally {
      this.metrics.timings.readDir += performance.now() - started;
    }
  }

  *#emit(walked: WalkedPath): Generator<WalkedPath, void, void> {
    const { counters, timings } = this.metrics;
    counters[COUNTER_OF[walked[2]]]++;
    counters['total paths emitted']++;
    const started = performance.now();
    yield walked;
    timings.yield += performance.now() - started;
  }
}

const COUNTER_OF = {
  File: 'files emitted',
  Directory: 'directories emitted',
  Other: 'other paths emitted',
} as const satisfies Record<PathType, string>;

function refusal(message: string): DragomanError {
  return new DragomanError('bad-request', message);
}
