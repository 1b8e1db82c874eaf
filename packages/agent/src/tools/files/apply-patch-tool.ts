import { z } from 'zod';
import { Tool } from '../tool.ts';
import type { SeenFiles } from './seen-files.ts';

const parameters = z.object({
  patchText: z.string().describe('The whole patch, from "*** Begin Patch" to "*** End Patch".'),
});
/** What the model sends. */
export type ApplyPatchInput = z.infer<typeof parameters>;

/** Changes several files by one patch: all of it, or nothing. */
export function applyPatchTool({ seen }: { seen: SeenFiles }): Tool.Info<ApplyPatchInput> {
  return Tool.define({
    id: 'apply-patch',
    description: [
      'Changes files by a patch; all of it is applied, or nothing. Its form:',
      '*** Begin Patch',
      '*** Add File: path',
      '+each line of the new file',
      '*** Update File: path',
      '*** Move to: new path (only to move it)',
      '@@ the function or class that the change is in (only where the lines below are not unique)',
      ' a line that stays, about three before and after each change',
      '-a line that goes',
      '+a line that comes',
      '*** Delete File: path',
      '*** End Patch',
    ].join('\n'),
    parameters,
    permission: 'edit',
    subjects: async (input, context) => (await import('./patch-files.ts')).patchSubjects(input, context),
    preview: async (input, context) => {
      const [{ previewChanges }, { previewPatch }] = await Promise.all([
        import('./preview-changes.ts'),
        import('./patch-files.ts'),
      ]);
      return previewChanges(() => previewPatch(input, context, seen));
    },
    execute: async (input, context) => (await import('./patch-files.ts')).patchFiles(input, context, seen),
  });
}
