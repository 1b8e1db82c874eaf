import { constants } from 'node:fs';
import { access, readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { DragomanError, type FolderListing } from '@dragoman/protocol';

const MOST_FOLDERS = 1_000;

/**
 * The folders that agents may work in, as they are configured: `~` is the home folder, and a link counts as what it
 * leads to, so a link that leads out is refused. None configured means anywhere.
 */
export class AllowedFolders {
  readonly #configured: () => readonly string[];

  constructor(configured: () => readonly string[]) {
    this.#configured = configured;
  }

  /** The roots as they are written, with the home folder in its place. */
  get roots(): string[] {
    return this.#configured().map((root) => resolve(expandHome(root)));
  }

  /** The real path of a folder that an agent may work in. Rejects, in words, where it may not. */
  async resolve(path: string): Promise<string> {
    const expanded = expandHome(path);
    if (!isAbsolute(expanded))
      throw new DragomanError('bad-request', `"${path}" is not a full path; start it with "/" or "~"`);
    const roots = await this.#realRoots();
    const real = await realFolder(expanded, roots);
    if (isWithin(real, roots)) return real;
    throw notAllowed(path, this.roots);
  }

  /** What is in a folder, for choosing one: folders only, without hidden ones. Without a path, where to begin. */
  async list(path?: string): Promise<FolderListing> {
    const roots = await this.#realRoots();
    if (path === undefined || path === '') {
      if (roots.length > 1) return { path: '', isRepository: false, folders: await describe(roots) };
      path = roots[0] ?? homedir();
    }
    const real = await this.resolve(path);
    const parent = dirname(real);
    return {
      path: real,
      ...(parent !== real && isWithin(parent, roots) ? { parent } : {}),
      isRepository: await isRepository(real),
      folders: await describe(await this.#foldersIn(real, roots)),
    };
  }

  async #foldersIn(folder: string, roots: readonly string[]): Promise<string[]> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      throw explain(folder, error);
    });
    const folders: string[] = [];
    for (const entry of entries.toSorted((a, b) => a.name.localeCompare(b.name))) {
      if (entry.name.startsWith('.') || !(entry.isDirectory() || entry.isSymbolicLink())) continue;
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink() && !(await leadsTo(path, roots))) continue;
      folders.push(path);
      if (folders.length === MOST_FOLDERS) break;
    }
    return folders;
  }

  /** A root that is not there is left out: its disk may come back. */
  async #realRoots(): Promise<string[]> {
    const { roots } = this;
    const real = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
    const there = real.filter((root) => root !== undefined);
    if (roots.length > 0 && there.length === 0)
      throw new DragomanError('not-found', `none of the folders of this runner exist: ${roots.join(', ')}`);
    return there;
  }
}

/** `~` and `~/…` with the home folder in its place. */
function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

async function realFolder(path: string, roots: readonly string[]): Promise<string> {
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory()) throw new DragomanError('bad-request', `${path} is not a folder`);
    await access(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    // What lies outside is not told to be there or not.
    if (!isWithin(resolve(path), roots)) throw notAllowed(path, roots);
    throw explain(path, error);
  }
}

async function leadsTo(link: string, roots: readonly string[]): Promise<boolean> {
  try {
    const real = await realpath(link);
    return isWithin(real, roots) && (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}

function isWithin(path: string, roots: readonly string[]): boolean {
  return (
    roots.length === 0 || roots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep))
  );
}

async function describe(paths: readonly string[]): Promise<FolderListing['folders']> {
  return Promise.all(
    paths.map(async (path) => ({ name: basename(path) || path, path, isRepository: await isRepository(path) })),
  );
}

async function isRepository(folder: string): Promise<boolean> {
  return access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}

function notAllowed(path: string, roots: readonly string[]): DragomanError {
  const text = `agents on this machine are not allowed in ${path}; they may work in ${roots.join(', ')}`;
  return new DragomanError('forbidden', text);
}

function explain(path: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new DragomanError('not-found', `the folder ${path} does not exist`, { cause: error });
  if (code === 'EACCES' || code === 'EPERM')
    return new DragomanError('forbidden', `the runner's user may not read ${path}`, { cause: error });
  return new DragomanError('bad-request', `${path} cannot be read (${code ?? String(error)})`, { cause: error });
}
