import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { type Tool, ToolError } from '../tool.ts';
import { parseGlob } from './glob-pattern.ts';
import { type GrepInput, type GrepToolOptions, MAX_MATCHES } from './grep-tool.ts';
import { isInFolders, pathBelow, pathSubjects, type ResolvedPath, resolvePath } from './resolve-path.ts';
import { type RipgrepEnd, runRipgrep } from './run-ripgrep.ts';
import { nameArgs, permittedPlace, SEARCH_TIME_LIMIT_MS, searchedThing, slashed } from './search-place.ts';

const MAX_LINE_BYTES = 400;

interface FileMatches {
  path: string;
  lines: string[];
}

/** Lists the lines below a folder, or in a file, that a regular expression matches. */
export async function findLines(
  { pattern, path, include }: GrepInput,
  context: Tool.Context,
  options: GrepToolOptions,
): Promise<Tool.Result> {
  const isFile = searchedThing(context, path).isFile();
  const glob = include === undefined || isFile ? undefined : parseGlob(include);
  const start = await permittedPlace(context, path, glob, options.alwaysReadable);
  const hidden = new Set<string>();
  const files: FileMatches[] = [];
  let count = 0;
  const take = (file: string, line: string): boolean => {
    if (glob !== undefined && !glob.matches(slashed(file))) return true;
    const named = isFile ? start.named : join(start.named, file);
    const shown = pathBelow(context.cwd, named) ?? named;
    const last = files.at(-1);
    if (hidden.has(shown)) return true;
    if (last?.path !== shown && !mayShow(resolvePath(context, named), { start, isFile }, context, options)) {
      hidden.add(shown);
      return true;
    }
    if (count === MAX_MATCHES) return false;
    count++;
    if (last?.path === shown) last.lines.push(line);
    else files.push({ path: shown, lines: [line] });
    return true;
  };
  const isFolder = statSync(start.real, { throwIfNoEntry: false })?.isDirectory() === true;
  const { ripgrepPath, timeLimit = AbortSignal.timeout } = options;
  const end =
    isFile || isFolder
      ? await runRipgrep({
          program: ripgrepPath,
          args: [
            ...lineArgs(pattern),
            ...nameArgs(glob),
            '--regexp',
            pattern,
            '--',
            isFile ? basename(start.real) : '.',
          ],
          cwd: isFile ? dirname(start.real) : start.real,
          abort: context.abort,
          timeIsUp: timeLimit(SEARCH_TIME_LIMIT_MS),
          separator: '\n',
          onRecord(record) {
            const name = record.indexOf('\0');
            const number = record.indexOf(':', name);
            // What is not a match is a remark, such as one about a binary file.
            if (name === -1 || number === -1) return true;
            const text = record.slice(number + 1).replace(/\r$/, '');
            return take(record.slice(0, name), `${record.slice(name + 1, number)}: ${text}`);
          },
        })
      : 'all';
  if (end === 'time' && count === 0)
    throw new ToolError(
      `The search for ${pattern} took longer than ${SEARCH_TIME_LIMIT_MS / 1000} s and found nothing until then. Narrow it with path or include.`,
    );
  return answer(pattern, files, count, noteOf(end, hidden.size));
}

/**
 * Whether the lines of a file may be shown. The permissions were asked about the place where the search begins; a file
 * below it that `read` would have to ask for, such as one with keys, is not shown without.
 */
function mayShow(
  file: ResolvedPath,
  { start, isFile }: { start: ResolvedPath; isFile: boolean },
  context: Tool.Context,
  { readAction, alwaysReadable = () => [] }: GrepToolOptions,
): boolean {
  if (readAction === undefined || isInFolders(file.real, alwaysReadable(context))) return true;
  const action = readAction(pathSubjects(context, file), context);
  if (action !== 'ask' || (isFile && file.real === start.real)) return action !== 'deny';
  // Everything outside the project is asked about, and that was done for the folder. Below it, what holds in a project does.
  const below = isAbsolute(start.title) ? pathBelow(start.real, file.real) : undefined;
  return below !== undefined && readAction([{ kind: 'path', value: below }], context) === 'allow';
}

function lineArgs(pattern: string): string[] {
  return [
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--null',
    '--sort=path',
    // Look-around and back-references are understood too, where the faster engine cannot.
    '--engine=auto',
    `--max-columns=${MAX_LINE_BYTES}`,
    '--max-columns-preview',
    ...(/\n|\\n/.test(pattern) ? ['--multiline'] : []),
  ];
}

function noteOf(end: RipgrepEnd, hiddenFiles: number): string[] {
  const notes: string[] = [];
  if (end === 'enough')
    notes.push(
      `(Only the first ${MAX_MATCHES} matches are shown; there are more. Narrow the search with pattern, path or include.)`,
    );
  if (end === 'time') notes.push(`(The search was stopped after ${SEARCH_TIME_LIMIT_MS / 1000} s; there may be more.)`);
  if (hiddenFiles > 0)
    notes.push(`(Matches in ${hiddenFiles} more files may not be shown without asking; read such a file to ask.)`);
  return notes;
}

function answer(pattern: string, files: readonly FileMatches[], count: number, notes: string[]): Tool.Result {
  const groups = files.map(({ path, lines }) => [path, ...lines].join('\n'));
  return {
    title: pattern,
    output: [...(groups.length === 0 ? ['No matches.'] : groups), ...notes].join('\n\n'),
    metadata: { count, files: files.length, hasMore: notes.length > 0 },
    isBounded: true,
  };
}
