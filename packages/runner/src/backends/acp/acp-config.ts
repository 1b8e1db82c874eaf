import { z } from 'zod';
import { findAcpPreset } from '../../presets/acp-presets.ts';

/** What the configuration of an agent of kind `acp` may say beside what every agent has. */
export const acpConfigShape = {
  login: z.string().min(1).optional().describe('Instructions for logging in to the agent on that machine.'),
  install: z.string().min(1).optional().describe('How to install the command.'),
  authMethod: z
    .string()
    .min(1)
    .optional()
    .describe('ID of the authentication method to use without asking, such as "openai-api-key".'),
  silenceMinutes: z
    .number()
    .positive()
    .optional()
    .describe('End a turn when the agent has been silent for this many minutes. The default is 60.'),
};

/** Well-known agents are known to have a program by their names. */
export function acpNeedsCommand(name: string): boolean {
  return findAcpPreset(name) === undefined;
}
