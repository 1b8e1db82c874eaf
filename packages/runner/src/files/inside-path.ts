import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { MovedFileError } from '@dragoman/server/files';

/** A path that was looked at: it is there, and inside of the folder. */
export interface InsidePath {
  /** As it was asked for, in its normal form with `/`; empty for the folder itself. */
  path: string;
  /** Where it really is. */
  real: string;
  /** The same from the folder. */
  realPath: string;
}

/**
 * A path from a folder in its normal form. Refuses what names another place by itself: whole paths, `..`, and what git
 * keeps for itself.
 */
export function normalPath(path: string): string {
  if (path.includes('\0')) throw new DragomanError('bad-request', `"${printable(path)}" has a NUL character in it`);
  const parts = (sep === '/' ? path : path.replaceAll(sep, '/')).split('/');
  if (parts[0] === '' && parts.length > 1) throw leadsOut(path);
  if (sep !== '/' && /^[a-z]:/i.test(path)) throw leadsOut(path);
  const kept = parts.filter((part) => part !== '' && part !== '.');
  if (kept.includes('..')) throw leadsOut(path);
  if (kept.some(isGitFolder)) throw ofGit(path);
  return kept.join('/');
}

/** Where a path leads from a folder that is a real path itself. A link that leads out is refused. */
export async function insidePath(root: string, path: string): Promise<InsidePath> {
  const normal = normalPath(path);
  const real = await realpath(join(root, normal)).catch((error: unknown) => {
    throw explainFileError(normal, error);
  });
  const realPath = relativeTo(root, real);
  if (realPath === undefined) throw leadsOut(path);
  if (realPath.split('/').some(isGitFolder)) throw ofGit(path);
  return { path: normal, real, realPath };
}

/** A path below a folder with `/`, or nothing where it is not below. */
export function relativeTo(root: string, path: string): string | undefined {
  if (path === root) return '';
  if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
  const below = relative(root, path);
  return sep === '/' ? below : below.replaceAll(sep, '/');
}

/** `.git` by whatever name a file system finds it: some pass over capitals, dots at the end, or signs nobody sees. */
export function isGitFolder(name: string): boolean {
  const plain = name.replaceAll(/\p{Cf}/gu, '').toLowerCase();
  return /^(\.git|git~\d)[. ]*$/.test(plain);
}

/** What the file system says, in words. */
export function explainFileError(path: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const shown = printable(path);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    // A name in another encoding was shown with this sign in it, and cannot be said back.
    const text = path.includes('\u{fffd}')
      ? `${shown} has a name that is not written in UTF-8, so it can only be opened on the machine itself`
      : `${shown} does not exist`;
    return new DragomanError('not-found', text, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM')
    return new DragomanError('forbidden', `the runner's user may not read ${shown}`, { cause: error });
  if (error instanceof MovedFileError)
    return new DragomanError('conflict', `${shown} was just moved or linked elsewhere; try again`, {
      cause: error,
      isRetryable: true,
    });
  return new DragomanError('bad-request', `${shown} cannot be read (${code ?? String(error)})`, { cause: error });
}

/** A path as a sentence can hold it. */
export function printable(path: string): string {
  const plain = path.replaceAll(/\p{Cc}/gu, '\u{fffd}');
  return plain.length <= 200 ? plain : `${plain.slice(0, 200).toWellFormed()}…`;
}

function leadsOut(path: string): DragomanError {
  return new DragomanError('forbidden', `"${printable(path)}" is outside the session's folder`);
}

function ofGit(path: string): DragomanError {
  return new DragomanError('forbidden', `"${printable(path)}" belongs to Git and is not shown`);
}
