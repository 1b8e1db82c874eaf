import { constants, type Stats } from 'node:fs';
import { access, lstat, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { GitFailedError } from './run-git.ts';
import { seedIndex } from './seed-index.ts';
import { type ShadowRepository, writeLooseObject } from './shadow-repository.ts';

/** The tree that has no files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The state of a project's files. */
export interface TrackedFiles {
  tree: string;
  /** Files that are there and not in the tree: too large, not to be read, or with a name that is not text. */
  leftOut: string[];
  /** How many bytes of files were read into the state, at most. */
  addedBytes: number;
}

interface TrackLimits {
  maxFileBytes: number;
  maxFiles: number;
  maxBytes: number;
}

/** Why there are no states of a project with so much in it. */
export function doesNotFit(root: string, maxBytes: number): string {
  return `The files of ${root} do not fit into the ${maxBytes} bytes that their states may take.`;
}

/** The index as it was when its tree was known. Another process may have changed it since. */
export interface KnownTree {
  indexVersion: string;
  tree: string;
}

/** So many files go to one process, so that a first state that is called off goes on where it stopped. */
const FILES_PER_PROCESS = 5_000;
const STATS_AT_ONCE = 64;

/**
 * Brings the index to what is on the disk, and writes its tree.
 *
 * One process lists what differs from the index, new files included. When nothing does and the index is still the one
 * whose tree is known, that was all.
 */
export async function trackFiles(
  shadow: ShadowRepository,
  limits: TrackLimits,
  known: KnownTree | undefined,
  signal?: AbortSignal,
): Promise<TrackedFiles & { known: KnownTree }> {
  if ((await indexVersion(shadow)) === NO_INDEX) await seedIndex(shadow, limits.maxFileBytes, signal);
  const args = ['ls-files', '-z', '-t', '--modified', '--others', '--exclude-standard'];
  const { stdout } = await shadow.git(args, { signal });
  const listed = parseListed(stdout);
  await refuseTooMany(shadow, listed, limits.maxFiles);

  const sorted = await sortListed(shadow.root, listed, limits.maxFileBytes);
  if (sorted.addedBytes > limits.maxBytes)
    throw new DragomanError('too-large', doesNotFit(shadow.root, limits.maxBytes));
  await updateIndex(shadow, sorted, signal);
  const version = await indexVersion(shadow);
  const { leftOut, addedBytes } = sorted;
  if (known !== undefined && known.indexVersion === version) return { tree: known.tree, leftOut, addedBytes, known };
  const tree = await writeTree(shadow, signal);
  return { tree, leftOut, addedBytes, known: { indexVersion: await indexVersion(shadow), tree } };
}

interface Listed {
  path: string;
  isInIndex: boolean;
}

function parseListed(stdout: Buffer): Listed[] {
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({ path: line.slice(2), isInIndex: !line.startsWith('?') }))
    .filter(({ path }) => !isNestedRepository(path));
}

/** Git lists what is a repository of its own as a folder, and does not look into it. */
function isNestedRepository(path: string): boolean {
  return path.endsWith('/');
}

async function refuseTooMany(shadow: ShadowRepository, listed: readonly Listed[], maxFiles: number): Promise<void> {
  const added = listed.filter(({ isInIndex }) => !isInIndex).length;
  const count = (await countEntries(shadow.indexFile)) + added;
  if (count > maxFiles)
    throw new DragomanError(
      'too-large',
      `${shadow.root} has ${count} files that are not ignored; snapshots are made of ${maxFiles} at most. Name folders that are made by tools in .gitignore.`,
    );
}

/** The head of an index is its mark, its version and how many entries follow. */
async function countEntries(indexFile: string): Promise<number> {
  const file = await open(indexFile).catch(() => undefined);
  if (file === undefined) return 0;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 ? buffer.readUInt32BE(8) : 0;
  } finally {
    await file.close();
  }
}

interface Sorted {
  /** Gone, or a folder now. They are told to git first, so that what stands in their place finds it free. */
  gone: string[];
  changed: string[];
  /** There, and to be taken out of the index nevertheless. */
  dropped: string[];
  leftOut: string[];
  addedBytes: number;
}

async function sortListed(root: string, listed: readonly Listed[], maxFileBytes: number): Promise<Sorted> {
  const sorted: Sorted = { gone: [], changed: [], dropped: [], leftOut: [], addedBytes: 0 };
  const linkedFolders = new Map<string, Promise<boolean>>();
  const sort = async ({ path, isInIndex }: Listed): Promise<void> => {
    if (isInIndex && (await isBeyondLink(root, path, linkedFolders))) {
      sorted.dropped.push(path);
      return;
    }
    const file = path.includes('\uFFFD') ? undefined : await statOf(join(root, path));
    if (file === 'gone' || file?.isDirectory() === true) {
      if (isInIndex) sorted.gone.push(path);
    } else if (file !== undefined && (await isKept(join(root, path), file, maxFileBytes))) {
      sorted.changed.push(path);
      sorted.addedBytes += file.size;
    } else {
      sorted.leftOut.push(path);
      if (isInIndex) sorted.dropped.push(path);
    }
  };
  for (let at = 0; at < listed.length; at += STATS_AT_ONCE)
    await Promise.all(listed.slice(at, at + STATS_AT_ONCE).map(sort));
  return sorted;
}

async function isKept(path: string, file: Stats, maxFileBytes: number): Promise<boolean> {
  if (file.isSymbolicLink()) return true;
  if (!file.isFile() || file.size > maxFileBytes) return false;
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

async function statOf(path: string): Promise<Stats | 'gone' | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : undefined;
  }
}

/** A folder that became a link: what is seen through it are other files. */
async function isBeyondLink(root: string, path: string, seen: Map<string, Promise<boolean>>): Promise<boolean> {
  const folder = dirname(path);
  if (folder === '.') return false;
  const answer =
    seen.get(folder) ??
    lstat(join(root, folder)).then(
      (found) => found.isSymbolicLink() || isBeyondLink(root, folder, seen),
      () => false,
    );
  seen.set(folder, answer);
  return answer;
}

async function updateIndex(
  shadow: ShadowRepository,
  { gone, changed, dropped }: Sorted,
  signal?: AbortSignal,
): Promise<void> {
  const run = (args: readonly string[], paths: readonly string[]) =>
    shadow.git(['update-index', ...args, '-z', '--stdin'], {
      input: paths.map((path) => `${path}\0`).join(''),
      writesIndex: true,
      signal,
    });
  if (dropped.length > 0) await run(['--force-remove'], dropped);
  const paths = [...gone, ...changed];
  for (let at = 0; at < paths.length; at += FILES_PER_PROCESS) {
    // Files that were only touched are noted as the same once, so that they are not read every time.
    const refresh = at === 0 ? ['-q', '--refresh'] : [];
    await run([...refresh, '--add', '--remove', '--replace'], paths.slice(at, at + FILES_PER_PROCESS));
  }
}

async function writeTree(shadow: ShadowRepository, signal?: AbortSignal): Promise<string> {
  const prefix = shadow.prefix === '' ? [] : [`--prefix=${shadow.prefix}`];
  try {
    const { stdout } = await shadow.git(['write-tree', ...prefix], { writesIndex: true, signal });
    return stdout.toString('latin1').trim();
  } catch (error) {
    if (!(error instanceof GitFailedError && /prefix .* not found/s.test(error.stderr))) throw error;
    await writeLooseObject(shadow.gitDir, EMPTY_TREE, 'tree 0\0');
    return EMPTY_TREE;
  }
}

const NO_INDEX = 'none';

async function indexVersion({ indexFile }: ShadowRepository): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(indexFile, { bigint: true });
    return `${ino}:${mtimeNs}:${size}`;
  } catch {
    return NO_INDEX;
  }
}
