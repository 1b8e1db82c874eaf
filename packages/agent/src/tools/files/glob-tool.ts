import { z } from 'zod';
import { Tool } from '../tool.ts';
import type { SearchToolOptions } from './search-place.ts';

/** More files than this are not shown. */
export const MAX_FILES = 100;

const parameters = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('Such as "**/*.ts" or "src/**/*.{js,jsx}". Without a slash it is about names in any folder.'),
  path: z.string().optional().describe('The folder to search; the working folder where nothing is said.'),
});
/** What the model sends. */
export type GlobInput = z.infer<typeof parameters>;

/** Finds files by their names, those that changed last first. What ignore files leave out is left out, unless it is named itself. */
export function globTool(options: SearchToolOptions = {}): Tool.Info<GlobInput> {
  return Tool.define({
    id: 'glob',
    description: [
      `Finds files by a pattern for their paths; the ${MAX_FILES} that changed last, newest first.`,
      'Hidden files are found; what .gitignore leaves out is not, unless path or pattern name its folder.',
    ].join('\n'),
    parameters,
    isReadOnly: true,
    subjects: async ({ pattern, path }, context) =>
      (await import('./search-place.ts')).searchSubjects(context, path, pattern, options.alwaysReadable),
    execute: async (input, context) => (await import('./find-files.ts')).findFiles(input, context, options),
  });
}
