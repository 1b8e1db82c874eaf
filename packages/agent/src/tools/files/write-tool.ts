import { z } from 'zod';
import { Tool } from '../tool.ts';
import { pathSubjects, resolvePath } from './resolve-path.ts';
import type { SeenFiles } from './seen-files.ts';

const parameters = z.object({
  filePath: z.string().describe('The file: absolute, or relative to the working folder. Missing folders are made.'),
  content: z.string().describe('The whole content.'),
});
/** What the model sends. */
export type WriteInput = z.infer<typeof parameters>;

/** Writes a whole file. What the session has never read it does not overwrite. */
export function writeTool({ seen }: { seen: SeenFiles }): Tool.Info<WriteInput> {
  return Tool.define({
    id: 'write',
    description: [
      'Writes a whole file, new or in the place of the old one. An existing file must be read first.',
      'To change a part of a file, use edit.',
    ].join('\n'),
    parameters,
    permission: 'edit',
    subjects: ({ filePath }, context) => pathSubjects(context, resolvePath(context, filePath)),
    preview: async (input, context) => {
      const [{ previewChanges }, { previewWrite }] = await Promise.all([
        import('./preview-changes.ts'),
        import('./write-file.ts'),
      ]);
      return previewChanges(() => previewWrite(input, context, seen));
    },
    execute: async (input, context) => (await import('./write-file.ts')).writeFile(input, context, seen),
  });
}
