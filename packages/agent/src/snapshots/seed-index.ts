import { isUtf8 } from 'node:buffer';
import { copyFile, lstat, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserRepository } from './find-user-repository.ts';
import { GitFailedError } from './run-git.ts';
import { type ShadowRepository, writeLooseObject } from './shadow-repository.ts';

/** Names are kept as bytes, one per character: an index may hold names that are not UTF-8. */
const BYTES = 'latin1';
const NO_OBJECT = '0'.repeat(40);
/** An entry of nothing, that does not say when and how large it was, is compared with its file. */
const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';
const LINK_TO_REPOSITORY = '160000';
/** Of a million files. A larger one is not worth the time that its copy takes. */
const MAX_INDEX_BYTES = 256 * 1024 * 1024;

/**
 * Makes our index out of a copy of the project's own, so that the first state reads only files that changed.
 *
 * The copy is believed only where git keeps a file as it is on the disk. With a converted line ending, a filter, a
 * keyword or a sparse checkout the blob is something else than the file; such entries are compared when the state
 * is taken. Where there is no index to copy, all files are new.
 */
export async function seedIndex(shadow: ShadowRepository, maxFileBytes: number, signal?: AbortSignal): Promise<void> {
  const { user, gitDir } = shadow;
  const seed = join(gitDir, 'index.seed');
  await rm(seed, { force: true });
  if (user === undefined || !(await copyIndex(user.indexFile, seed))) return;
  const made = await correctCopy(shadow, user, seed, maxFileBytes, signal)
    .catch(orElse(() => takeNames(shadow, user, seed, signal)))
    // It cannot be read at all, so nothing is known of it.
    .catch(orElse(() => Promise.resolve(false)));
  if (made) await rename(seed, shadow.indexFile);
}

/** An index in two halves, say, of which one was copied. Its names are still worth having. */
async function takeNames(
  shadow: ShadowRepository,
  user: UserRepository,
  seed: string,
  signal?: AbortSignal,
): Promise<boolean> {
  await rm(seed, { force: true });
  const entries = parseEntries(await readUser(shadow, user, ['ls-files', '--stage', '-v', '-z'], '', signal));
  const kept = entries.filter(({ path, mode }) => isOurs(path, shadow) && mode !== LINK_TO_REPOSITORY);
  await writeEntries(shadow, seed, kept.flatMap(unknown), signal);
  return true;
}

/** Another way, when git says that it cannot go the first. */
function orElse(other: () => Promise<boolean>): (error: unknown) => Promise<boolean> {
  return (error) => {
    if (error instanceof GitFailedError) return other();
    throw error;
  };
}

interface Entry {
  tag: string;
  mode: string;
  blob: string;
  stage: string;
  path: string;
  /** Of the file when it was added; NaN where the copy does not say. */
  size: number;
}

async function correctCopy(
  shadow: ShadowRepository,
  user: UserRepository,
  seed: string,
  maxFileBytes: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const call = { indexFile: seed, cwd: shadow.workTree, signal };
  const listed = await shadow.git(['ls-files', '--stage', '-v', '-z', '--debug'], call);
  const entries = parseEntries(listed.stdout);
  const ours = entries.filter(({ path }) => isOurs(path, shadow));
  const names = [...new Set(ours.map(({ blob }) => blob))].join('\n');
  const sizes = parseSizes(
    (await shadow.git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { ...call, input: names })).stdout,
  );
  const converted = await listConverted(shadow, user, ours, signal);

  const corrections = entries.flatMap((entry) => {
    if (!isOurs(entry.path, shadow) || entry.mode === LINK_TO_REPOSITORY) return removed(entry);
    if (entry.size > maxFileBytes) return removed(entry);
    const isSame = entry.tag === 'H' && entry.stage === '0' && entry.size === sizes.get(entry.blob);
    return isSame && !converted.has(entry.path) ? [] : unknown(entry);
  });
  if (corrections.length > 0) await writeEntries(shadow, seed, corrections, signal);
  return true;
}

/** The entries that are files of the project. A name that is not UTF-8 cannot be told to anyone. */
function isOurs(path: string, { prefix }: ShadowRepository): boolean {
  return path.startsWith(Buffer.from(prefix).toString(BYTES)) && isUtf8(Buffer.from(path, BYTES));
}

function removed({ path }: Entry): string[] {
  return [`0 ${NO_OBJECT}\t${path}\0`];
}

function unknown(entry: Entry): string[] {
  return [...removed(entry), `${entry.mode} ${EMPTY_BLOB} 0\t${entry.path}\0`];
}

async function writeEntries(
  shadow: ShadowRepository,
  seed: string,
  lines: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  await writeLooseObject(shadow.gitDir, EMPTY_BLOB, 'blob 0\0');
  await shadow.git(['update-index', '-z', '--index-info'], {
    indexFile: seed,
    cwd: shadow.workTree,
    input: Buffer.from(lines.join(''), BYTES),
    writesIndex: true,
    signal,
  });
}

/** A copy as old as what it copies: git distrusts entries that changed in the same second as the index. */
async function copyIndex(from: string, to: string): Promise<boolean> {
  const found = await lstat(from).catch(() => undefined);
  if (found?.isFile() !== true || found.size > MAX_INDEX_BYTES) return false;
  await copyFile(from, to);
  const second = Math.floor(found.mtimeMs / 1_000);
  await utimes(to, second, second);
  return true;
}

function parseEntries(listing: Buffer): Entry[] {
  const text = listing.toString(BYTES);
  const entry = /(\S) (\d{6}) ([0-9a-f]{40}) (\d)\t([^\0]+)\0((?: {2}.*\n)*)/g;
  return Array.from(text.matchAll(entry), ([, tag, mode, blob, stage, path, details]) => ({
    tag: tag!,
    mode: mode!,
    blob: blob!,
    stage: stage!,
    path: path!,
    size: Number(/^ {2}size: (\d+)/m.exec(details!)?.[1]),
  }));
}

function parseSizes(lines: Buffer): Map<string, number> {
  return new Map(
    Array.from(lines.toString(BYTES).matchAll(/^([0-9a-f]{40}) (\d+)$/gm), ([, blob, size]) => [blob!, Number(size)]),
  );
}

/** Files whose bytes git would change without changing how many there are; the sizes show all other conversions. */
async function listConverted(
  shadow: ShadowRepository,
  user: UserRepository,
  entries: readonly Entry[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const input = entries.map(({ path }) => `${path}\0`).join('');
  const args = ['check-attr', '-z', '--stdin', 'filter', 'ident', 'working-tree-encoding'];
  const fields = (await readUser(shadow, user, args, input, signal)).toString(BYTES).split('\0');
  const converted = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3)
    if (fields[at + 2] !== 'unspecified' && fields[at + 2] !== 'unset') converted.add(fields[at]!);
  return converted;
}

/** Asks the project's own repository, with the settings of the person, since those are what made its index. */
async function readUser(
  shadow: ShadowRepository,
  user: UserRepository,
  args: readonly string[],
  input: string,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { stdout } = await shadow.git(args, { reads: user, input: Buffer.from(input, BYTES), signal });
  return stdout;
}
