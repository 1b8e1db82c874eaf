import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MovedFileError } from '@dragoman/server/files';
import { ToolError } from '../tool.ts';
import { nearNames } from './near-names.ts';
import type { ResolvedPath } from './resolve-path.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be touched: the system denies access to it',
  EPERM: 'may not be touched: the system denies access to it',
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
  EISDIR: 'is a folder',
  ENOTDIR: 'is below something that is not a folder',
  EEXIST: 'is below something that is not a folder',
  ENAMETOOLONG: 'has a name that is too long',
  EMFILE: 'cannot be opened: too many files are open',
};

/** What the system said about a file, as an answer for the model. An answer that already is one stays as it is. */
export function toFileFailure(error: unknown, path: ResolvedPath): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof MovedFileError)
    return new ToolError(`${path.shown} was moved or linked elsewhere while this call ran; nothing was done.`, {
      cause: error,
    });
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return missingFile(path);
  const reason = REASONS[code ?? ''];
  return new ToolError(`${path.shown} ${reason ?? `failed: ${message}`}.`, { cause: error });
}

/** There is no such file: names what is near, so that the next call can be right. */
export function missingFile(path: ResolvedPath): ToolError {
  const folder = dirname(path.named);
  const names = namesIn(folder);
  if (names === undefined) {
    let parent = folder;
    while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
    return new ToolError(
      `${path.shown} does not exist, nor does its folder; the nearest folder that does is ${parent}.`,
    );
  }
  const near = nearNames(basename(path.named), names).map((name) => shownBeside(path, name));
  const hint = near.length === 0 ? 'Look for it with glob.' : `Did you mean ${near.join(' or ')}?`;
  return new ToolError(`${path.shown} does not exist. ${hint}`);
}

function shownBeside(path: ResolvedPath, name: string): string {
  const folder = dirname(path.shown);
  return folder === '.' ? name : join(folder, name);
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
