import { z } from 'zod';
import { actorSchema, approvalAnswerSchema } from '../uap/approval.ts';
import { backendEventSchema, faultSchema, turnEndSchema } from '../uap/backend-event.ts';
import { promptBlockSchema } from '../uap/content-block.ts';

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** A prompt as it waits in the session, until the agent takes it up. */
export const hubPromptSchema = z.object({
  id: z.string(),
  content: z.array(promptBlockSchema),
  delivery: z.enum(['queue', 'steer']).describe('After the running turn, or into it.'),
  by: actorSchema,
});
export type HubPrompt = z.infer<typeof hubPromptSchema>;

/** What a session is from its first moment on. */
export const hubSessionInfoSchema = z.object({
  id: z.string(),
  title: z.string(),
  isNamed: z.boolean().optional().describe('A person chose the title. Where nobody did, the agent may.'),
  agent: z.string().describe('The name it has in the configuration, or the kind of backend.'),
  runnerId: z.string(),
  folder: z.string(),
  worktree: z.boolean().optional().describe('It works in a git worktree of its own, made from the folder.'),
  model: z.string().optional(),
  mode: z.string().optional(),
  forkedFrom: z.object({ sessionId: z.string(), seq: z.number() }).optional(),
  by: actorSchema,
});
export type HubSessionInfo = z.infer<typeof hubSessionInfoSchema>;

/** What a runner may say of a session: what its backend emits, and how the work goes. */
export const runnerEventSchema = z.discriminatedUnion('type', [
  ...backendEventSchema.options,
  event('agent-state', {
    state: z.enum(['starting', 'ready', 'stopped', 'failed']),
    error: faultSchema.optional(),
    cwd: z.string().optional().describe('Where it works, when that is not the folder it was given.'),
    branch: z.string().optional(),
  }),
  event('turn-started', { turnId: z.string(), promptId: z.string().optional() }),
  event('prompt-taken', { promptId: z.string(), turnId: z.string() }),
  event('turn-finished', {
    turnId: z.string(),
    ...turnEndSchema.shape,
    endedAt: z.number().optional().describe('When it ended, where that became known only later.'),
  }),
  event('reverted', {
    messageId: z.string().describe('The prompt that is gone, with everything that followed.'),
    files: z.array(z.string()).describe('Files that are as they were before it.'),
    revertId: z.string().optional().describe('Of the command it comes of.'),
  }),
  event('revert-failed', { messageId: z.string(), error: faultSchema, revertId: z.string().optional() }),
]);
export type RunnerEvent = z.infer<typeof runnerEventSchema>;

/**
 * What happens in a session, whatever agent works in it. The log of these is the truth of what was shown and decided;
 * everything on a screen is a fold of it.
 */
export const hubEventSchema = z.discriminatedUnion('type', [
  event('session-created', { session: hubSessionInfoSchema }),
  event('session-updated', {
    title: z.string().optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    by: actorSchema,
  }),
  event('session-moved', {
    from: z.object({
      runnerId: z.string(),
      machine: z.string(),
      worktree: z.string().optional().describe('What was made there for the session, and stays.'),
    }),
    runnerId: z.string(),
    machine: z.string(),
    agent: z.string(),
    folder: z.string(),
    by: actorSchema,
  }),
  event('prompt-queued', { prompt: hubPromptSchema }),
  event('prompt-withdrawn', { promptId: z.string(), by: actorSchema }),
  event('approval-decided', {
    approvalId: z.string(),
    reply: approvalAnswerSchema,
    by: actorSchema,
    saved: z.array(z.object({ tool: z.string(), pattern: z.string() })).optional(),
  }),
  ...runnerEventSchema.options,
]);
export type HubEvent = z.infer<typeof hubEventSchema>;
export type HubEventType = HubEvent['type'];
export type HubEventOf<Type extends HubEventType> = Extract<HubEvent, { type: Type }>;

/**
 * An event in its place. Numbers rise from 1 within a session; they are given by the database and never used again.
 * Where a whole block stands in place of its pieces, the numbers of the pieces are left out.
 */
export interface LoggedHubEvent {
  seq: number;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  event: HubEvent;
}
