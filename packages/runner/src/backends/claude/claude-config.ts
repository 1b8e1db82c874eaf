import { z } from 'zod';

/** What the configuration of an agent of kind `claude` may say beside what every agent has. */
export const claudeConfigShape = {
  arguments: z
    .array(z.string())
    .optional()
    .describe('More arguments for the command, such as ["--add-dir", "../lib"] or ["--settings", "claude.json"].'),
  maxTurns: z.int().positive().optional().describe('The most model calls that Claude Code makes for one prompt.'),
  silenceMinutes: z
    .number()
    .positive()
    .optional()
    .describe('How long Claude Code may say nothing in a turn before it is ended; 60 unless told.'),
};

/** What the configuration of an agent of kind `claude` may say, and nothing else. */
export const claudeConfigSchema = z.strictObject(claudeConfigShape);
