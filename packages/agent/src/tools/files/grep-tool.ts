import { basename, dirname, join } from 'node:path';
import { statSync } from 'node:fs';
import { z } from 'zod';
import { Tool, ToolError } from '../tool.ts';
import { parseGlob } from './glob-pattern.ts';
import { pathBelow, resolvePath } from './resolve-path.ts';
import { type RipgrepEnd, runRipgrep } from './run-ripgrep.ts';
import {
  nameArgs,
  SEARCH_TIME_LIMIT_MS,
  searchedThing,
  searchPlace,
  searchSubjects,
  type SearchToolOptions,
  slashed,
} from './search-place.ts';

const MAX_MATCHES = 100;
const MAX_LINE_BYTES = 400;

const parameters = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('A regular expression. Write \\ before ( ) [ ] { } . * + ? that mean themselves.'),
  path: z.string().optional().describe('The folder or file to search; the working folder where nothing is said.'),
  include: z.string().optional().describe('Only files that this pattern means, such as "*.ts" or "src/**/*.{js,jsx}".'),
});

/** What `grep` needs besides: whose lines may be shown. */
export interface GrepToolOptions extends SearchToolOptions {
  /** Whether a file's lines may be shown without asking; given as the permissions know it. All of them where nothing is said. */
  mayShow?: (path: string, context: Tool.Context) => boolean;
}

interface FileMatches {
  path: string;
  lines: string[];
}

/** Finds lines in files by a regular expression, in the order of the paths, so that the same search gives the same answer. */
export function grepTool({
  ripgrepPath,
  alwaysReadable,
  timeLimit = AbortSignal.timeout,
  mayShow,
}: GrepToolOptions = {}): Tool.Info<z.infer<typeof parameters>> {
  return Tool.define({
    id: 'grep',
    description: [
      `Finds lines in files by a regular expression, grouped by file, with line numbers; at most ${MAX_MATCHES}.`,
      'Hidden files are searched; what .gitignore leaves out is not, unless path or include name its folder.',
    ].join('\n'),
    parameters,
    isReadOnly: true,
    subjects: ({ path, include }, context) => searchSubjects(context, path, include, alwaysReadable),
    async execute({ pattern, path, include }, context) {
      const isFile = searchedThing(context, path).isFile();
      const glob = include === undefined || isFile ? undefined : parseGlob(include);
      const start = searchPlace(context, path, glob);
      const hidden = new Set<string>();
      const files: FileMatches[] = [];
      let count = 0;
      const take = (file: string, line: string): boolean => {
        if (glob !== undefined && !glob.matches(slashed(file))) return true;
        const named = isFile ? start.named : join(start.named, file);
        const shown = pathBelow(context.cwd, named) ?? named;
        const last = files.at(-1);
        if (hidden.has(shown)) return true;
        if (last?.path !== shown && mayShow?.(resolvePath(context, named).title, context) === false) {
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
    },
  });
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
