import { join } from 'node:path';
import { DragomanError, type FileChanges } from '@dragoman/protocol';
import { readBeginning, toText } from '../files/read-file.ts';
import { DIFF_OPTIONS } from './diff-options.ts';
import type { Repository } from './open-repository.ts';
import { type LineCount, parseNumstat } from './parse-numstat.ts';
import type { StatusEntry } from './parse-status.ts';
import { type FolderStatus, readStatus } from './read-status.ts';

type FileChange = FileChanges['files'][number];

/** What a person can still look through. */
const MOST_FILES = 2_000;
/** Lines of new files are counted by reading them. */
const MOST_COUNTED = 200;
const AT_ONCE = 16;
const COUNT_MS = 5_000;

/** What git says of the folder: the branch, each changed file, and how many lines came and went. */
export async function readChanges(repository: Repository | undefined): Promise<FileChanges> {
  if (repository === undefined) return { isRepository: false, files: [], isCut: false };
  const status = await readStatus(repository);
  const { branch, upstream, ahead, behind } = status;
  const entries = status.entries.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_FILES);
  const counts = await countLines(repository, { ...status, entries });
  const files = entries.map((entry) => toFileChange(entry, counts.get(entry.path)));
  return {
    isRepository: true,
    ...(branch !== undefined && { branch }),
    ...(upstream !== undefined && { upstream }),
    ...(ahead !== undefined && { ahead }),
    ...(behind !== undefined && { behind }),
    files,
    isCut: status.isCut || entries.length < status.entries.length,
  };
}

function toFileChange({ path, oldPath, staged, unstaged }: StatusEntry, lines: LineCount | undefined): FileChange {
  return {
    path,
    ...(oldPath !== undefined && { oldPath }),
    ...(staged !== undefined && { staged }),
    ...(unstaged !== undefined && { unstaged }),
    ...lines,
  };
}

async function countLines(repository: Repository, status: FolderStatus): Promise<Map<string, LineCount>> {
  const counts = await countTracked(repository, status);
  const fresh = status.entries.filter((entry) => entry.isUntracked === true).slice(0, MOST_COUNTED);
  for (let at = 0; at < fresh.length; at += AT_ONCE)
    await Promise.all(
      fresh.slice(at, at + AT_ONCE).map(async ({ path }) => {
        const added = await countNew(repository.folder, path);
        if (added !== undefined) counts.set(path, { added, removed: 0 });
      }),
    );
  return counts;
}

/** Since the last commit, staged or not. Where that takes too long, the list is worth more than the numbers. */
async function countTracked(
  { read }: Repository,
  { isUnborn, entries }: FolderStatus,
): Promise<Map<string, LineCount>> {
  if (entries.every((entry) => entry.isUntracked === true)) return new Map();
  try {
    const args = ['diff', '--numstat', '-z', ...DIFF_OPTIONS, isUnborn ? '--cached' : 'HEAD', '--', '.'];
    return parseNumstat((await read(args, { limitMs: COUNT_MS })).stdout.toString('utf8'));
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'timed-out') return new Map();
    throw error;
  }
}

async function countNew(folder: string, path: string): Promise<number | undefined> {
  try {
    const { bytes, isCut } = await readBeginning(join(folder, path), path);
    const text = isCut ? undefined : toText(bytes, false);
    if (text === undefined) return undefined;
    return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0);
  } catch {
    return undefined; // A link, or gone by now.
  }
}
