import type { CodePlace, CodeSearch } from '@dragoman/protocol';
import { z } from 'zod';
import { Tool } from '../tool.ts';

const MAX_PLACES = 50;
/** How many are asked for where nobody said. */
const USUAL_PLACES = 20;
const NUMBER_WIDTH = 6;

const parameters = z.object({
  query: z.string().trim().min(1).describe('What you are looking for, in plain words, or the name of a symbol.'),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe(`At most so many places, ${MAX_PLACES} at the most. Without it, as many as are of use.`),
});

/** Whether what is in a file may be shown; its path is relative to the project. */
export type MayShow = (path: string, context: Tool.Context) => boolean;

/**
 * Finds code by what it does. The index is opened at the first question, since many sessions ask none. It holds files that
 * this agent may not read; their places are left out.
 */
export function codeSearchTool(search: () => Promise<CodeSearch>, mayShow: MayShow = () => true) {
  return Tool.define({
    id: 'code-search',
    description: [
      'Finds the code that matters for a question. Use it first, whenever you do not know which files to look at.',
      '1. Ask in plain language: describe what the code does; exact names help but are not needed.',
      '2. The whole code base is searched, and the most relevant places come back as code with paths and line numbers.',
      '3. The index follows every change of the files, so the answer is up to date.',
      '4. It works across programming languages, and for documents and configuration files too.',
      '5. It knows the files as they are, and nothing of version control or earlier versions.',
      'To find every place where an exact text occurs, use grep instead.',
    ].join('\n'),
    parameters,
    isReadOnly: true,
    execute: async ({ query, limit }, context) => {
      const { abort } = context;
      const index = await search();
      abort.throwIfAborted();
      const places = async (most: number) => {
        const found = await index.search({ query, limit: most }, abort);
        return formatted(found.filter(({ path }) => mayShow(path, context)));
      };
      let text: string;
      if (limit === undefined) {
        text = await index.retrieve({ query }, abort);
        // The answer is one text, from which nothing can be cut out with certainty.
        if (!pathsIn(text).every((path) => mayShow(path, context))) text = await places(USUAL_PLACES);
      } else text = await places(Math.min(limit, MAX_PLACES));
      const isFound = text.trim() !== '';
      return {
        title: query,
        output: isFound
          ? text
          : `Nothing in this code base answers "${query}". Try other words, or look with glob and grep.`,
        metadata: { isFound },
      };
    },
  });
}

/** The files in an answer. Every other line of it begins with a number or a gap. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/^Path: (.*)$/gm)].map(([, path]) => path!);
}

/** In the form in which whole answers come: a path, then its lines with their numbers. */
function formatted(places: readonly CodePlace[]): string {
  return places
    .map(({ path, start, text }) => {
      const lines = text.replace(/\n$/, '').split('\n');
      const numbered = lines.map((line, index) => `${String(start + index).padStart(NUMBER_WIDTH)}\t${line}`);
      return [`Path: ${path}`, ...numbered].join('\n');
    })
    .join('\n');
}
