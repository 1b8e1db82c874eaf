import { z } from 'zod';

/** What the configuration of an agent of kind `codex` may say beside what every agent has. */
export const codexConfigShape = {
  approvalPolicy: z
    .enum(['untrusted', 'on-request', 'never'])
    .optional()
    .describe('When Codex asks before it runs a command. A chosen mode takes precedence.'),
  sandbox: z
    .enum(['read-only', 'workspace-write', 'danger-full-access'])
    .optional()
    .describe('What its commands can access without asking. A chosen mode takes precedence.'),
  effort: z.string().min(1).optional().describe('How much the model thinks, such as "low" or "high".'),
  config: z
    .record(z.string(), z.json())
    .optional()
    .describe('Codex settings for these sessions, as in its config.toml: {"web_search": "live"}.'),
  silenceMinutes: z
    .number()
    .positive()
    .optional()
    .describe('End a turn when Codex has been silent for this many minutes. The default is 60.'),
};

/** What the configuration of an agent of kind `codex` may say, and nothing else. */
export const codexConfigSchema = z.strictObject(codexConfigShape);
