import { z } from 'zod';

/** What the configuration of an agent of kind `codex` may say beside what every agent has. */
export const codexConfigShape = {
  approvalPolicy: z
    .enum(['untrusted', 'on-request', 'never'])
    .optional()
    .describe('When Codex asks before it runs a command. A mode that is chosen counts more.'),
  sandbox: z
    .enum(['read-only', 'workspace-write', 'danger-full-access'])
    .optional()
    .describe('What its commands may touch without asking. A mode that is chosen counts more.'),
  effort: z.string().min(1).optional().describe('How much the model thinks, such as "low" or "high".'),
  config: z
    .record(z.string(), z.json())
    .optional()
    .describe('Settings of Codex for these sessions, as its config.toml has them: {"web_search": "live"}.'),
  silenceMinutes: z
    .number()
    .positive()
    .optional()
    .describe('How long Codex may say nothing in a turn before it is ended; 60 unless told.'),
};

/** What the configuration of an agent of kind `codex` may say, and nothing else. */
export const codexConfigSchema = z.strictObject(codexConfigShape);
