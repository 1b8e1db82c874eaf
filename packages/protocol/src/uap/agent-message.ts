import { z } from 'zod';
import { contentBlockSchema } from './content-block.ts';

/** Who speaks: a person (and what tools returned), the model, or the agent program of itself (notices, state). */
export const agentRoleSchema = z.enum(['user', 'assistant', 'agent']);
export type AgentRole = z.infer<typeof agentRoleSchema>;

/** A message of the Universal Agent Protocol in its final form. */
export const agentMessageSchema = z.strictObject({ role: agentRoleSchema, content: z.array(contentBlockSchema) });
export type AgentMessage = z.infer<typeof agentMessageSchema>;
