import { z } from 'zod';
import { approvalOptionSchema, fileDiffSchema } from './content-block.ts';

/** What a call touches, for the permission rules; see `PermissionSubject`. */
const subjectSchema = z.object({ kind: z.enum(['path', 'command', 'host', 'name']), value: z.string() });

/** A question of an agent to people: may this call run, or which answer is right? */
export const approvalSchema = z.object({
  id: z.string(),
  title: z.string(),
  options: z.array(approvalOptionSchema),
  toolUseId: z.string().optional(),
  call: z
    .object({ name: z.string(), input: z.record(z.string(), z.unknown()) })
    .optional()
    .describe(
      'What would run, exactly as it is handed to the tool. Without it a question about a call is not answered from afar.',
    ),
  asked: z
    .array(subjectSchema.extend({ reason: z.string().optional() }))
    .optional()
    .describe('What no rule allows, each with the reason why it is asked about.'),
  reason: z.string().optional(),
  diffs: z.array(fileDiffSchema).optional(),
  allowsText: z.boolean().optional().describe('An answer in words is taken too.'),
  question: z
    .object({ tool: z.string(), subjects: z.array(subjectSchema) })
    .optional()
    .describe('What the permission rules are asked. Absent where the agent has asked them itself.'),
  always: z
    .array(z.object({ tool: z.string(), kind: subjectSchema.shape.kind.optional(), pattern: z.string() }))
    .optional()
    .describe('What "always, for this project" would save.'),
});
export type Approval = z.infer<typeof approvalSchema>;

/** What became of the question, for the agent. */
export const approvalAnswerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('selected'), optionId: z.string(), text: z.string().optional() }),
  z.object({
    type: z.literal('rejected'),
    feedback: z.string().optional(),
    isLate: z.boolean().optional().describe('Nobody answered in time.'),
  }),
  z.object({ type: z.literal('cancelled') }),
]);
export type ApprovalReply = z.infer<typeof approvalAnswerSchema>;

/** Who did something: a person on a channel, a rule, the clock, the agent itself, or the runner that hosts it. */
export const actorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), userId: z.string(), name: z.string(), channel: z.string() }),
  z.object({ type: z.literal('rule'), rule: z.string() }),
  z.object({ type: z.literal('time-limit') }),
  z.object({ type: z.literal('agent') }),
  z.object({ type: z.literal('runner') }),
]);
export type Actor = z.infer<typeof actorSchema>;
