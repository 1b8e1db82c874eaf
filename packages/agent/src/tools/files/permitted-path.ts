import type { PermissionSubject } from '@dragoman/protocol';
import { type Tool, ToolError } from '../tool.ts';
import { isInFolders, pathSubjects, type ResolvedPath, resolvePath } from './resolve-path.ts';

/** Folders that a call needs no permission for, such as the one with outputs of its session that were too long. */
export type AlwaysReadable = (context: Pick<Tool.Context, 'sessionID'>) => readonly string[];

/** Whoever moves a file that often while people are asked does so on purpose. */
const MOST_QUESTIONS = 3;

/**
 * Where a path of a running call leads now, if that is permitted. A path was resolved once to ask for permission; whoever
 * was asked took their time, and another process may have put a link in its way. What leads elsewhere by now is asked
 * about again, under its real name.
 */
export function permittedPath(
  context: Tool.Context,
  path: string,
  alwaysReadable: AlwaysReadable = () => [],
): Promise<ResolvedPath> {
  return permitted(
    context,
    () => resolvePath(context, path),
    (found) => (isInFolders(found.real, alwaysReadable(context)) ? [] : pathSubjects(context, found)),
  );
}

/** What is found now, if all that it touches is permitted; see `permittedPath`. */
export async function permitted<Found>(
  context: Tool.Context,
  find: () => Found | Promise<Found>,
  subjectsOf: (found: Found) => PermissionSubject[],
): Promise<Found> {
  for (let questions = 0; questions < MOST_QUESTIONS; questions++) {
    const found = await find();
    const subjects = subjectsOf(found);
    if (context.isPermitted(subjects)) return found;
    const places = subjects.flatMap(({ kind, value, deniedAs }) => (kind === 'path' && !deniedAs ? value : []));
    const touched = places.length === 0 ? '' : `: it would touch ${places.join(', ')} now`;
    await context.ask(subjects, `Something was moved or linked since this call was permitted${touched}.`);
  }
  throw new ToolError('The files of this call were moved again and again while it waited, so it was not run.');
}

/** The same for a path that was looked at a moment ago, where nothing may wait any more. */
export function stillPermitted(context: Tool.Context, path: string): ResolvedPath {
  const found = resolvePath(context, path);
  if (context.isPermitted(pathSubjects(context, found))) return found;
  throw new ToolError(`${found.shown} was moved or linked elsewhere while this call ran; nothing was done.`);
}
