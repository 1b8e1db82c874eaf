import { type Stats, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { PermissionSubject } from '@dragoman/protocol';
import { type Tool, ToolError } from '../tool.ts';
import { missingFile, toFileFailure } from './file-failure.ts';
import { type GlobPattern, parseGlob } from './glob-pattern.ts';
import { type AlwaysReadable, permitted } from './permitted-path.ts';
import { isInFolders, pathSubjects, type Place, type ResolvedPath, resolvePath } from './resolve-path.ts';

/** What searching needs from outside. */
export interface SearchToolOptions {
  /** The program; the one that comes with us where none is given. */
  ripgrepPath?: string | undefined;
  alwaysReadable?: AlwaysReadable | undefined;
  /** Makes the signal that ends a search which lasts too long. What was found until then is shown. */
  timeLimit?: (ms: number) => AbortSignal;
}

/** How long a search may take. */
export const SEARCH_TIME_LIMIT_MS = 30_000;

/** Where a search begins: the folder that was named, or deeper where the pattern says so itself. */
function searchPlace(place: Place, path: string | undefined, glob: GlobPattern | undefined): ResolvedPath {
  const folder = resolvePath(place, path ?? '.');
  return glob === undefined || glob.base === '' ? folder : resolvePath(place, resolve(folder.named, glob.base));
}

/** What the permissions are asked about before a search. */
export function searchSubjects(
  place: Place & Pick<Tool.Context, 'sessionID'>,
  path: string | undefined,
  pattern: string | undefined,
  alwaysReadable: AlwaysReadable = () => [],
): PermissionSubject[] {
  const start = searchPlace(place, path, pattern === undefined ? undefined : parseGlob(pattern));
  return isInFolders(start.real, alwaysReadable(place)) ? [] : pathSubjects(place, start);
}

/** Where a running search begins now, if that is permitted; see `permittedPath`. */
export function permittedPlace(
  context: Tool.Context,
  path: string | undefined,
  glob: GlobPattern | undefined,
  alwaysReadable: AlwaysReadable = () => [],
): Promise<ResolvedPath> {
  return permitted(
    context,
    () => searchPlace(context, path, glob),
    (start) => (isInFolders(start.real, alwaysReadable(context)) ? [] : pathSubjects(context, start)),
  );
}

/** What stands at the named path, which must exist: a folder, or a file where one can be searched. */
export function searchedThing(place: Place, path: string | undefined): Stats {
  const named = resolvePath(place, path ?? '.');
  try {
    const stats = statSync(named.real, { throwIfNoEntry: false });
    if (stats === undefined) throw missingFile(named);
    if (!stats.isDirectory() && !stats.isFile()) throw new ToolError(`${named.shown} is neither a folder nor a file.`);
    return stats;
  } catch (error) {
    throw toFileFailure(error, named);
  }
}

/** For ripgrep: only names that the pattern can mean. Unlike its globs, its types leave the ignore files their say. */
export function nameArgs(glob: GlobPattern | undefined): string[] {
  return glob?.name === undefined ? [] : [`--type-add=dragoman:${glob.name}`, '--type=dragoman'];
}

/** A path that ripgrep found, with `/` between its parts. */
export function slashed(path: string): string {
  const clean = path.startsWith(`.${sep}`) ? path.slice(2) : path;
  return sep === '/' ? clean : clean.replaceAll(sep, '/');
}
