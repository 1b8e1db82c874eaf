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
          'How to search code: "index", or "ripgrep", which searches a folder for the words of the question without indexing it.',
        ),
      root: z
        .string()
        .min(1)
        .optional()
        .describe('Folder for ripgrep to search. Defaults to the folder the server was started in.'),
      editorFolders: z
        .boolean()
        .default(false)
        .describe(
          'Search the folders open in connected editors with ripgrep instead of root. Set by the VS Code extension.',
        ),
      maxFileBytes: z
        .int()
        .min(1024)
        .max(16 * 1024 * 1024)
        .default(DEFAULT_MAX_BLOB_BYTES)
        .describe('Larger files are not indexed.'),
      extensions: z
        .array(z.string().regex(/^\.[^./\\\s]+$/, 'expected an extension such as ".ts"'))
        .min(1)
        .optional()
        .describe('Only index files with these extensions, such as ".ts". By default, all files are indexed.'),
      keepUnusedDays: z
        .int()
        .min(1)
        .max(3650)
        .default(30)
        .describe(
          'Uploaded files that have not been used for this many days are deleted. Clients upload them again when needed.',
        ),
      embedding: z
        .strictObject({
          model: z
            .string()
            // Published as a pattern, and checked in words that say what is expected.
            .refine((name) => PROVIDER_AND_MODEL.test(name), EXPECTED_MODEL)
            .meta({ pattern: PROVIDER_AND_MODEL.source })
            .describe('Embedding model, such as "openai/text-embedding-3-small".'),
          dimensions: z
            .int()
            .min(1)
            .max(16_384)
            .optional()
            .describe('Vector size, for models that support it. Defaults to the size of the model.'),
        })
        .optional()
        .describe(
          'Embedding model to use instead of the built-in vectors. Indexed code and questions are sent to its provider.',
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
