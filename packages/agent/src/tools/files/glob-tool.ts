import { join } from 'node:path';
import { z } from 'zod';
import { Tool, ToolError } from '../tool.ts';
import { parseGlob } from './glob-pattern.ts';
import { pathBelow } from './resolve-path.ts';
import { runRipgrep } from './run-ripgrep.ts';
import {
  nameArgs,
  SEARCH_TIME_LIMIT_MS,
  searchedThing,
  searchPlace,
  searchSubjects,
  type SearchToolOptions,
  slashed,
} from './search-place.ts';
import { statSync } from 'node:fs';

const MAX_FILES = 100;

const parameters = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('Such as "**/*.ts" or "src/**/*.{js,jsx}". Without a slash it is about names in any folder.'),
  path: z.string().optional().describe('The folder to search; the working folder where nothing is said.'),
});

/** Finds files by their names, those that changed last first. What ignore files leave out is left out, unless it is named itself. */
export function globTool({
  ripgrepPath,
  alwaysReadable,
  timeLimit = AbortSignal.timeout,
}: SearchToolOptions = {}): Tool.Info<z.infer<typeof parameters>> {
  return Tool.define({
    id: 'glob',
    description: [
      `Finds files by a pattern for their paths; the ${MAX_FILES} that changed last, newest first.`,
      'Hidden files are found; what .gitignore leaves out is not, unless path or pattern name its folder.',
    ].join('\n'),
    parameters,
    isReadOnly: true,
    subjects: ({ pattern, path }, context) => searchSubjects(context, path, pattern, alwaysReadable),
    async execute({ pattern, path }, context) {
      const glob = parseGlob(pattern);
      if (!searchedThing(context, path).isDirectory())
        throw new ToolError(`${path} is a file; path is the folder to search in.`);
      const start = searchPlace(context, path, glob);
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
    },
  });
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
