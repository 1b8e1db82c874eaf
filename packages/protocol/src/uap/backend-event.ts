import { z } from 'zod';
import { approvalSchema } from './approval.ts';
import { blockEventSchema } from './block-event.ts';

/** A model or a mode that can be chosen. */
const choiceSchema = z.object({
  id: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
});
export type Choice = z.infer<typeof choiceSchema>;

/** What an agent can do beside answering. Screens offer nothing that is not declared. */
export const backendCapabilitiesSchema = z.object({
  resume: z.boolean().optional().describe('A session goes on after its process ended.'),
  fork: z.boolean().optional(),
  revert: z.boolean().optional().describe('A prompt and what followed can be undone, in files too.'),
  steer: z.boolean().optional().describe('Takes a prompt while a turn runs.'),
  approvals: z.boolean().optional().describe('Asks before it acts.'),
  images: z.boolean().optional(),
  files: z.boolean().optional(),
  models: z.boolean().optional().describe('The model can be changed.'),
  modes: z.boolean().optional(),
});
export type BackendCapabilities = z.infer<typeof backendCapabilitiesSchema>;

/** Something that went wrong, and what a person can do about it. */
export const faultSchema = z.object({ code: z.string(), message: z.string(), fix: z.string().optional() });
export type Fault = z.infer<typeof faultSchema>;

const turnReasonSchema = z.enum(['done', 'cancelled', 'refused', 'limit', 'failed', 'interrupted']);

/** How a turn ended. `interrupted`: the process that worked on it was gone; `limit`: a limit of the agent's own. */
export const turnEndSchema = z.object({ reason: turnReasonSchema, error: faultSchema.optional() });
export type TurnEnd = z.infer<typeof turnEndSchema>;

/** What the agent says of itself; what is absent stays as it was. */
const agentUpdatedSchema = z.object({
  type: z.literal('agent-updated'),
  agentSessionId: z.string().optional().describe('What the agent itself calls the session, to resume it by.'),
  title: z.string().optional(),
  model: z.string().optional(),
  mode: z.string().optional(),
  models: z.array(choiceSchema).optional(),
  modes: z.array(choiceSchema).optional(),
  commands: z.array(z.object({ name: z.string(), description: z.string().optional() })).optional(),
  capabilities: backendCapabilitiesSchema.optional(),
});

/** What a backend tells while it works: blocks, questions, and news of the agent itself. */
export const backendEventSchema = z.discriminatedUnion('type', [
  ...blockEventSchema.options,
  z.object({ type: z.literal('approval-asked'), approval: approvalSchema }),
  z.object({ type: z.literal('approval-withdrawn'), approvalId: z.string() }),
  agentUpdatedSchema,
]);
export type BackendEvent = z.infer<typeof backendEventSchema>;
