import type { PermissionAction, PermissionSubject } from '@dragoman/protocol';
import { z } from 'zod';
import { Tool } from '../tool.ts';
import type { SearchToolOptions } from './search-place.ts';

/** More matches than this are not shown. */
export const MAX_MATCHES = 100;

const parameters = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('A regular expression. Write \\ before ( ) [ ] { } . * + ? that mean themselves.'),
  path: z.string().optional().describe('The folder or file to search; the working folder where nothing is said.'),
  include: z.string().optional().describe('Only files that this pattern means, such as "*.ts" or "src/**/*.{js,jsx}".'),
});
/** What the model sends. */
export type GrepInput = z.infer<typeof parameters>;

/** What `grep` needs besides: whose lines may be shown. */
export interface GrepToolOptions extends SearchToolOptions {
  /** What the permissions say about reading a file. Nothing is asked here; all are allowed where nothing is given. */
  readAction?: (subjects: readonly PermissionSubject[], context: Tool.Context) => PermissionAction;
}

/** Finds lines in files by a regular expression, in the order of the paths, so that the same search gives the same answer. */
export function grepTool(options: GrepToolOptions = {}): Tool.Info<GrepInput> {
  return Tool.define({
    id: 'grep',
    description: [
      `Finds lines in files by a regular expression, grouped by file, with line numbers; at most ${MAX_MATCHES}.`,
      'Hidden files are searched; what .gitignore leaves out is not, unless path or include name its folder.',
    ].join('\n'),
    parameters,
    isReadOnly: true,
    subjects: async ({ path, include }, context) =>
      (await import('./search-place.ts')).searchSubjects(context, path, include, options.alwaysReadable),
    execute: async (input, context) => (await import('./find-lines.ts')).findLines(input, context, options),
  });
}
