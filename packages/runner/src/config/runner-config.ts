import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { agentsConfigSchema } from './agents-config.ts';

/** How this machine hosts agents. */
const runnerSchema = z
  .strictObject({
    name: z.string().min(1).max(100).optional().describe('Name of this machine. Defaults to its host name.'),
    folders: z
      .array(z.string().min(1).refine(isWhole, 'expected a whole path such as "/home/you/code" or "~/code"'))
      .default([])
      .describe('Folders where agents can work, such as "~/code". If empty, they can work anywhere.'),
    isShared: z.boolean().optional().describe('Let every member start sessions here, not only the owner and admins.'),
    maxSessions: z.int().min(1).max(10_000).default(500).describe('Maximum number of agents running at the same time.'),
    idleMinutes: z
      .number()
      .positive()
      .default(60)
      .describe('Stop an agent that can resume later when it has not been used for this many minutes.'),
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
