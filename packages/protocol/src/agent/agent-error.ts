import { z } from 'zod';

/** Why a turn or a model call ended badly. Programs read `code`, people `message`. */
export const agentErrorSchema = z.object({
  code: z.enum([
    'loop',
    'budget',
    'context-overflow',
    'output-limit',
    'content-filter',
    'aborted',
    'interrupted',
    'rejected',
    'timed-out',
    'model',
    'internal',
  ]),
  message: z.string(),
  isRetryable: z.boolean().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type AgentError = z.infer<typeof agentErrorSchema>;
