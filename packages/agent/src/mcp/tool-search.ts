import { z } from 'zod';
import { estimateToolTokens } from '../compaction/estimate-tokens.ts';
import { describeTool } from '../tools/tool-registry.ts';
import { Tool, ToolError } from '../tools/tool.ts';
import { rankTools } from './rank-tools.ts';

const MOST_FOUND = 8;
const SHOWN_DESCRIPTION = 200;

/** What is known of foreign tools, and what to do with those that are found. */
export interface ToolSearchOptions {
  /** The foreign tools, none of which is searched for in vain. */
  tools: readonly Tool.Info[];
  /** What their definitions may take of every prompt. */
  budgetTokens: number;
  /** Told what was found; from the next step on it is sent to the model. */
  onFound(ids: readonly string[]): void;
}

/** How foreign tools reach the model when there are too many to send them all. */
export interface ToolSearch {
  /** To be sent in their stead. */
  tool: Tool.Info<{ query: string }>;
  /** Not to be sent until they were found. */
  hidden: ReadonlySet<string>;
}

/**
 * Decides whether foreign tools are sent with every prompt, or found by search.
 *
 * Nothing is given back while all of them fit the budget. Above it none is sent: a part of them would be an arbitrary
 * one. Instead the model gets one tool that finds them by words, and what it found it can call in its next step.
 */
export function toolSearch({ tools, budgetTokens, onFound }: ToolSearchOptions): ToolSearch | undefined {
  if (estimateToolTokens(tools.map(describeTool)) <= budgetTokens) return undefined;
  return { tool: toolSearchTool(tools, budgetTokens, onFound), hidden: new Set(tools.map(({ id }) => id)) };
}

function toolSearchTool(
  tools: readonly Tool.Info[],
  budgetTokens: number,
  onFound: ToolSearchOptions['onFound'],
): ToolSearch['tool'] {
  const names = tools.map(({ id }) => id).toSorted();
  const listed = names.join(', ');
  const about = listed.length / 4 <= budgetTokens / 4 ? ` They are: ${listed}.` : '';
  return Tool.define({
    id: 'tool-search',
    description:
      `Finds more tools. ${tools.length} tools of connected services are not shown here; describe what you want to do ` +
      `in a few words, or give a name, and those that fit can be called from your next step on.${about}`,
    parameters: z.object({ query: z.string().min(1).describe('What the tool should do, or its name.') }),
    isReadOnly: true,
    execute({ query }) {
      const found = rankTools(tools, query, MOST_FOUND);
      if (found.length === 0)
        return Promise.reject(
          new ToolError(
            `None of the ${tools.length} tools has to do with ${JSON.stringify(query)}. Try other words, ` +
              'or go on with the tools you have.',
          ),
        );
      const ids = found.map(({ id }) => id);
      onFound(ids);
      const lines = found.map(({ id, description }) => `- ${id}: ${firstWords(description)}`);
      return Promise.resolve({
        title: query,
        output: `These can be called from your next step on:\n${lines.join('\n')}`,
        metadata: { found: ids },
      });
    },
  });
}

function firstWords(description: string): string {
  const line = description.trim().replaceAll(/\s+/g, ' ');
  return line.length <= SHOWN_DESCRIPTION ? line : `${line.slice(0, SHOWN_DESCRIPTION).trimEnd()}…`;
}
