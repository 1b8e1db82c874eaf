import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { agentsConfigSchema } from './agents-config.ts';

/** How this machine hosts agents. */
const runnerSchema = z
  .strictObject({
    name: z.string().min(1).max(100).optional().describe('What this machine is called; its host name when absent.'),
    folders: z
      .array(z.string().min(1).refine(isWhole, 'expected a whole path such as "/home/you/code" or "~/code"'))
      .default([])
      .describe('Where agents may work, such as "~/code". Anywhere when there is none.'),
    isShared: z
      .boolean()
      .optional()
      .describe('Whether every member may start sessions here, not only the owner and admins.'),
    maxSessions: z.int().min(1).max(10_000).default(500).describe('How many agents may run at the same time.'),
    idleMinutes: z
      .number()
      .positive()
      .default(60)
      .describe('An agent that can go on later is ended when nobody used it for so long.'),
  })
  .prefault({});

/** The runner's sections of `dragoman.json`. */
export const runnerConfigShape = { agents: agentsConfigSchema, runner: runnerSchema };

/** The runner's sections, read. */
export interface RunnerConfig {
  agents: z.infer<typeof agentsConfigSchema>;
  runner: z.infer<typeof runnerSchema>;
}

/** A path that means the same wherever the program was started. */
function isWhole(path: string): boolean {
  return path === '~' || path.startsWith('~/') || isAbsolute(path);
}
