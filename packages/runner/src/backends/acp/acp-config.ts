import { z } from 'zod';

/** What the configuration of an agent of kind `acp` may say beside what every agent has. */
export const acpConfigShape = {
  login: z.string().min(1).optional().describe('What to do on that machine when the agent wants a login.'),
  install: z.string().min(1).optional().describe('How the command is installed.'),
  authMethod: z
    .string()
    .min(1)
    .optional()
    .describe('The id of the way to authenticate that is used without asking, such as "openai-api-key".'),
  silenceMinutes: z
    .number()
    .positive()
    .optional()
    .describe('How long the agent may say nothing in a turn before it is ended; 60 unless told.'),
};
