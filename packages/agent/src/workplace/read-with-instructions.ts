import { resolve } from 'node:path';
import type { InstructionCache } from '../instructions/instruction-cache.ts';
import { instructionsBelow } from '../instructions/instructions-below.ts';
import { renderInstruction } from '../instructions/render-system-prompt.ts';
import type { Tool } from '../tools/tool.ts';

/** By session: what was told of the folders below. Whoever holds it forgets sessions that are over. */
export type ToldInstructions = Map<string, ReturnType<typeof instructionsBelow>>;

/** The read tool, which also tells the instructions of a folder when the first file below it is read. */
export function withInstructions(
  tool: Tool.Info,
  place: { cwd: string; root: string },
  cache: InstructionCache,
  bySession: ToldInstructions,
): Tool.Info {
  return {
    ...tool,
    async execute(input: { filePath: string }, context) {
      const result = await tool.execute(input, context);
      let below = bySession.get(context.sessionID);
      if (below === undefined) bySession.set(context.sessionID, (below = instructionsBelow(place, cache)));
      const told = below(resolve(context.cwd, input.filePath));
      if (told.length === 0) return result;
      const rendered = told.map((instruction) => renderInstruction(instruction, place.root)).join('\n');
      return {
        ...result,
        output: `${result.output}\n\n<instructions>\nWhat people say about work in this folder:\n${rendered}\n</instructions>`,
      };
    },
  };
}
