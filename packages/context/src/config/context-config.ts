import { z } from 'zod';
import { DEFAULT_MAX_BLOB_BYTES } from '../sync/filter/check-content.ts';

const PROVIDER_AND_MODEL = /^[^/]+\/.+$/;
const EXPECTED_MODEL = 'expected "provider/model", such as "openai/text-embedding-3-small"';

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
      editorFolders: z
        .boolean()
        .default(false)
        .describe(
          'Ripgrep searches the folders that are open in the editors on this server, in the place of root. The VS Code extension sets it.',
        ),
      maxFileBytes: z
        .int()
        .min(1024)
        .max(16 * 1024 * 1024)
        .default(DEFAULT_MAX_BLOB_BYTES)
        .describe('Larger files are left out of the index.'),
      extensions: z
        .array(z.string().regex(/^\.[^./\\\s]+$/, 'expected an extension such as ".ts"'))
        .min(1)
        .optional()
        .describe('Only files with these extensions are indexed, such as ".ts"; by default all are.'),
      keepUnusedDays: z
        .int()
        .min(1)
        .max(3650)
        .default(30)
        .describe('What a client uploaded and nobody asked about for so long is deleted; the client uploads it again.'),
      embedding: z
        .strictObject({
          model: z
            .string()
            // Published as a pattern, and checked in words that say what is expected.
            .refine((name) => PROVIDER_AND_MODEL.test(name), EXPECTED_MODEL)
            .meta({ pattern: PROVIDER_AND_MODEL.source })
            .describe('The model that makes the vectors, such as "openai/text-embedding-3-small".'),
          dimensions: z
            .int()
            .min(1)
            .max(16_384)
            .optional()
            .describe(
              'How many numbers a vector shall have, for models that can be told; by default as the model likes.',
            ),
        })
        .optional()
        .describe(
          'An embedding model in the place of the built-in vectors. Code that is indexed and questions are sent to its provider.',
        ),
    })
    .prefault({})
    .describe('How questions about code are answered.'),
};

export interface ContextConfig {
  retrieval: {
    engine: 'index' | 'ripgrep';
    root?: string | undefined;
    editorFolders?: boolean | undefined;
    maxFileBytes: number;
    extensions?: readonly string[] | undefined;
    keepUnusedDays: number;
    embedding?: { model: string; dimensions?: number | undefined } | undefined;
  };
}
