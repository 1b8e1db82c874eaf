import { z } from 'zod';
import { DEFAULT_MAX_BLOB_BYTES } from '../sync/filter/check-content.ts';

/** The context engine's section of `dragoman.json`. */
export const contextConfigShape = {
  retrieval: z
    .strictObject({
      engine: z
        .enum(['index', 'ripgrep'])
        .default('index')
        .describe(
          'What answers questions about code: "index", or "ripgrep", which looks for the words of a question in a folder that must not be indexed.',
        ),
      root: z
        .string()
        .min(1)
        .optional()
        .describe('The folder that ripgrep searches; by default the one the server was started in.'),
      maxFileBytes: z
        .int()
        .min(1024)
        .max(16 * 1024 * 1024)
        .default(DEFAULT_MAX_BLOB_BYTES)
        .describe('Larger files are left out of the index.'),
      keepUnusedDays: z
        .int()
        .min(1)
        .max(3650)
        .default(30)
        .describe('What a client uploaded and nobody asked about for so long is deleted; the client uploads it again.'),
    })
    .prefault({})
    .describe('How questions about code are answered.'),
};

export interface ContextConfig {
  retrieval: { engine: 'index' | 'ripgrep'; root?: string | undefined; maxFileBytes: number; keepUnusedDays: number };
}
