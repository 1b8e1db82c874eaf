import { z } from 'zod';
import { Tool } from '../tool.ts';
import { pathSubjects, resolvePath } from './resolve-path.ts';
import type { SeenFiles } from './seen-files.ts';

const parameters = z.object({
  filePath: z.string().describe('The file: absolute, or relative to the working folder.'),
  oldString: z
    .string()
    .describe(
      'The text to replace, exactly as it stands in the file, with enough lines around it to be there only once.',
    ),
  newString: z.string().describe('What comes in its place.'),
  replaceAll: z.boolean().optional().describe('Replace every place where oldString stands.'),
});
/** What the model sends. */
export type EditInput = z.infer<typeof parameters>;

/** Replaces a piece of a file's text. Finds it exactly, or by a slip that leaves no doubt; else changes nothing and says why. */
export function editTool({ seen }: { seen: SeenFiles }): Tool.Info<EditInput> {
  return Tool.define({
    id: 'edit',
    description: [
      'Replaces a piece of text in a file. Read the file first and copy oldString from it, without the line numbers that read shows.',
      'oldString must stand in the file exactly once, unless replaceAll is set. An empty oldString writes a new file.',
      'The line ends of the file are kept. A file that changed since you read it must be read again.',
    ].join('\n'),
    parameters,
    permission: 'edit',
    subjects: ({ filePath }, context) => pathSubjects(context, resolvePath(context, filePath)),
    preview: async (input, context) => {
      const [{ previewChanges }, { previewEdit }] = await Promise.all([
        import('./preview-changes.ts'),
        import('./edit-file.ts'),
      ]);
      return previewChanges(() => previewEdit(input, context, seen));
    },
    execute: async (input, context) => (await import('./edit-file.ts')).editFile(input, context, seen),
  });
}
