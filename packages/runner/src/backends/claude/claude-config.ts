import { z } from 'zod';

/** What the configuration of an agent of kind `claude` may say beside what every agent has. */
export const claudeConfigShape = {
  arguments: z
    .array(z.string())
    .optional()
    .describe('More arguments for the command, such as ["--add-dir", "../lib"] or ["--settings", "claude.json"].'),
  maxTurns: z.int().positive().optional().describe('Maximum number of model calls Claude Code makes for one prompt.'),
  silenceMinutes: z
    .number()
    .positive()
    .optional()
    .describe('End a turn when Claude Code has been silent for this many minutes. The default is 60.'),
};

/** What the configuration of an agent of kind `claude` may say, and nothing else. */
export const claudeConfigSchema = z.strictObject(claudeConfigShape);
