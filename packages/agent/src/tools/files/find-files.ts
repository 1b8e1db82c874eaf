import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Tool, ToolError } from '../tool.ts';
import { parseGlob } from './glob-pattern.ts';
import { type GlobInput, MAX_FILES } from './glob-tool.ts';
import { pathBelow } from './resolve-path.ts';
import { runRipgrep } from './run-ripgrep.ts';
import {
  nameArgs,
  permittedPlace,
  SEARCH_TIME_LIMIT_MS,
  searchedThing,
  type SearchToolOptions,
  slashed,
} from './search-place.ts';

/** Lists the files below a folder that a pattern means, the newest first. */
export async function findFiles(
  { pattern, path }: GlobInput,
  context: Tool.Context,
  { ripgrepPath, alwaysReadable, timeLimit = AbortSignal.timeout }: SearchToolOptions,
): Promise<Tool.Result> {
  const glob = parseGlob(pattern);
  if (!searchedThing(context, path).isDirectory())
    throw new ToolError(`${path} is a file; path is the folder to search in.`);
  const start = await permittedPlace(context, path, glob, alwaysReadable);
  const found: string[] = [];
  if (statSync(start.real, { throwIfNoEntry: false })?.isDirectory() !== true) return answer(pattern, found, '');
  const end = await runRipgrep({
    program: ripgrepPath,
    args: ['--files', '--null', '--sortr=modified', ...nameArgs(glob)],
    cwd: start.real,
    abort: context.abort,
    timeIsUp: timeLimit(SEARCH_TIME_LIMIT_MS),
    separator: '\0',
    onRecord(file) {
      if (!glob.matches(slashed(file))) return true;
      const named = join(start.named, file);
      if (found.length < MAX_FILES) found.push(pathBelow(context.cwd, named) ?? named);
      else return false;
      return true;
    },
  });
  if (end === 'time')
    throw new ToolError(
      `The search for ${pattern} took longer than ${SEARCH_TIME_LIMIT_MS / 1000} s. Name the folder more closely with path.`,
    );
  return answer(
    pattern,
    found,
    end === 'enough'
      ? `(Only the ${MAX_FILES} newest are shown; there are more. Make the pattern or the path narrower.)`
      : '',
  );
}

function answer(pattern: string, found: readonly string[], note: string): Tool.Result {
  const lines = found.length === 0 ? ['No files found.'] : [...found];
  if (note !== '') lines.push(note);
  return {
    title: pattern,
    output: lines.join('\n'),
    metadata: { count: found.length, hasMore: note !== '' },
    isBounded: true,
  };
}
