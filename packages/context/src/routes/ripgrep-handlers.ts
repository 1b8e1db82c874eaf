import { newId } from '@dragoman/protocol';
import { z } from 'zod';
import type { ContextHandlers } from './context-plugin.ts';
import { whileConnected } from './while-connected.ts';
import { retrieveFromFolders } from '../ripgrep/retrieve-from-folders.ts';

const uploadSchema = z
  .object({
    blobs: z
      .array(z.object({ blob_name: z.string() }))
      .max(10_000)
      .catch([]),
  })
  .catch({ blobs: [] });

/**
 * The Augment endpoints for folders that must not be indexed: nothing is missing, nothing that comes is kept, and
 * questions are answered by looking for their words on the disk.
 */
export function ripgrepHandlers(
  folders: () => readonly string[],
): Pick<ContextHandlers, '/find-missing' | '/batch-upload' | '/checkpoint-blobs' | '/agents/codebase-retrieval'> {
  return {
    '/find-missing': async () => ({ unknown_memory_names: [], nonindexed_blob_names: [] }),
    '/batch-upload': async (request) => ({
      blob_names: uploadSchema.parse(request.body).blobs.map(({ blob_name }) => blob_name),
    }),
    '/checkpoint-blobs': async () => ({ new_checkpoint_id: newId('ckp') }),
    '/agents/codebase-retrieval': (request) =>
      whileConnected(request, async (signal) => ({
        formatted_retrieval: await retrieveFromFolders({ body: request.body, folders: folders(), signal }),
      })),
  };
}
