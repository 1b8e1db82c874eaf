import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError, type FileDiffText } from '@dragoman/protocol';
import { insidePath, normalPath, printable } from '../files/inside-path.ts';
import { MOST_BYTES, readBeginning, refuseSecret, toText } from '../files/read-file.ts';
import { DIFF_OPTIONS } from './diff-options.ts';
import { newFileDiff } from './new-file-diff.ts';
import type { Repository } from './open-repository.ts';
import type { StatusEntry } from './parse-status.ts';
import { readStatus } from './read-status.ts';

const FORM = ['--patch', '--unified=3', '--src-prefix=a/', '--dst-prefix=b/'];

/** How one file changed: what is staged, or what is not. Empty where nothing is. Files that hold secrets are not shown. */
export async function readDiff(repository: Repository, given: string, isStaged: boolean): Promise<FileDiffText> {
  const path = normalPath(given);
  refuseSecret(repository.folder, path);
  const { entries, isUnborn } = await readStatus(repository);
  const entry = entries.find((one) => one.path === path);
  const change = isStaged ? entry?.staged : entry?.unstaged;
  if (entry === undefined || change === undefined) return { path, unified: '', isCut: false };
  if (entry.oldPath !== undefined) refuseSecret(repository.folder, entry.oldPath);
  if (entry.isUntracked === true) return diffOfNew(repository.folder, path);
  // Git would show everything below that name, with secrets among it.
  if (entries.some((other) => other.path.startsWith(`${path}/`)))
    throw new DragomanError('conflict', `${printable(path)} was a file and is a folder now; see the files in it`);

  const against = isStaged ? ['--cached'] : change === 'conflicted' && !isUnborn ? ['HEAD'] : [];
  const { stdout, isCut } = await repository.read(
    ['diff', ...FORM, ...DIFF_OPTIONS, ...against, '--', ...pathsOf(entry)],
    { maxBytes: MOST_BYTES },
  );
  const end = isCut ? stdout.lastIndexOf('\n') + 1 : stdout.length;
  return { path, unified: stdout.subarray(0, end).toString('utf8'), isCut };
}

function pathsOf({ path, oldPath }: StatusEntry): string[] {
  return oldPath === undefined ? [path] : [path, oldPath];
}

/** A file that git does not know is compared with nothing, without git. */
async function diffOfNew(folder: string, path: string): Promise<FileDiffText> {
  const whole = join(folder, path);
  if ((await lstat(whole).catch(() => undefined))?.isSymbolicLink() === true)
    return { path, unified: newFileDiff(path, await readlink(whole), '120000'), isCut: false };
  const inside = await insidePath(folder, path);
  refuseSecret(folder, inside.realPath);
  const { bytes, isCut } = await readBeginning(inside.real, path);
  const text = toText(bytes, isCut);
  return { path, unified: newFileDiff(path, text), isCut: isCut && text !== undefined };
}
