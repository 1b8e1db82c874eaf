import { z } from 'zod';
import { assistantInfoSchema, messageSchema, userInfoSchema } from '../part/message.ts';
import { anyPartSchema } from '../part/part.ts';
import { toolStateSchema } from '../part/tool-state.ts';
import { tokensSchema } from '../part/tokens.ts';
import { agentErrorSchema } from './agent-error.ts';
import { todoSchema } from './todo.ts';
import { modelNameSchema } from '../part/model-name.ts';

const metadata = z.record(z.string(), z.unknown());
const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });
/** Every piece of an answer is known by the part it becomes. */
const ofPart = { messageID: z.string(), partID: z.string() };

/** What a session is: where it works, as which agent, with which model. */
export const sessionInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  cwd: z.string().describe('The folder it works in.'),
  root: z.string().describe('The project: the folder it may change without asking again.'),
  agent: z.string(),
  model: modelNameSchema,
  parentID: z.string().optional().describe('The session whose task it does.'),
  forkedFrom: z.object({ sessionID: z.string(), messageID: z.string().optional() }).optional(),
  time: z.object({ created: z.number() }),
});
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

/** What a person or program sends: it waits in the session until the agent takes it up. */
export const queuedPromptSchema = z.object({
  message: z.object({ info: userInfoSchema, parts: z.array(anyPartSchema) }),
  delivery: z.enum(['queue', 'steer']).describe('After the running turn, or at its next step.'),
});
export type QueuedPrompt = z.infer<typeof queuedPromptSchema>;

const countersSchema = z.object({ modelCalls: z.number(), toolCalls: z.number() });
export type Counters = z.infer<typeof countersSchema>;

/**
 * What happens in a session of the native agent. The log of these is the truth; everything else is a fold of it.
 *
 * Blocks of an answer (reasoning, text, tool input) are start, deltas, end. In the log deltas are joined in batches, which
 * changes nothing of what they add up to.
 */
export const agentEventSchema = z.discriminatedUnion('type', [
  event('session-created', { session: sessionInfoSchema }),
  event('session-updated', {
    title: z.string().optional(),
    agent: z.string().optional(),
    model: modelNameSchema.optional(),
  }),
  event('system-changed', { system: z.string() }),
  event('prompt-admitted', { prompt: queuedPromptSchema }),
  event('prompt-withdrawn', { messageID: z.string() }),
  event('turn-started', { turnID: z.string(), messageID: z.string() }),
  event('message-added', { message: messageSchema }),
  event('start-step', { partID: z.string(), info: assistantInfoSchema, snapshot: z.string().optional() }),
  event('reasoning-start', { ...ofPart, metadata: metadata.optional() }),
  event('reasoning-delta', { ...ofPart, delta: z.string() }),
  event('reasoning-end', { ...ofPart, metadata: metadata.optional() }),
  event('text-start', { ...ofPart }),
  event('text-delta', { ...ofPart, delta: z.string() }),
  event('text-end', { ...ofPart, metadata: metadata.optional() }),
  event('tool-input-start', { ...ofPart, callID: z.string(), tool: z.string() }),
  event('tool-input-delta', { ...ofPart, delta: z.string() }),
  event('tool-input-end', { ...ofPart, metadata: metadata.optional() }),
  event('tool-call', { ...ofPart, input: z.record(z.string(), z.unknown()) }),
  event('tool-state', { ...ofPart, state: toolStateSchema }),
  event('tool-metadata', { ...ofPart, title: z.string().optional(), metadata: metadata.optional() }),
  event('tool-result', { ...ofPart, state: toolStateSchema }),
  event('part-added', { part: anyPartSchema }),
  event('part-removed', { ...ofPart }),
  event('finish-step', {
    partID: z.string(),
    messageID: z.string(),
    reason: z.string(),
    cost: z.number(),
    costSource: z.enum(['provider', 'computed']),
    tokens: tokensSchema,
    snapshot: z.string().optional(),
    error: agentErrorSchema.optional(),
  }),
  event('compacted', {
    messageIDs: z.array(z.string()).describe('Messages that left the view of the model.'),
    partIDs: z.array(z.string()).describe('Tool calls whose output left it.'),
    summary: z
      .object({
        messageID: z.string().describe('The message that marks the place.'),
        title: z.string(),
        body: z.string(),
        diffs: z.array(z.object({ file: z.string() })),
      })
      .optional(),
  }),
  event('todos-updated', { todos: z.array(todoSchema) }),
  event('reverted', {
    messageID: z.string().describe('The first message that is taken back.'),
    snapshot: z.string().optional().describe('The files as they were before, to come back to.'),
    files: z.array(z.string()),
  }),
  event('unreverted', {}),
  event('turn-finished', { turnID: z.string(), counters: countersSchema, error: agentErrorSchema.optional() }),
]);
export type AgentEvent = z.infer<typeof agentEventSchema>;
export type AgentEventType = AgentEvent['type'];
export type AgentEventOf<Type extends AgentEventType> = Extract<AgentEvent, { type: Type }>;

/** An event in its place: numbers rise from 1 within a session; where deltas were joined, some are left out. */
export interface LoggedEvent {
  seq: number;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  event: AgentEvent;
}
