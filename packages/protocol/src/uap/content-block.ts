import { z } from 'zod';

const block = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

const pathSchema = z
  .string()
  .describe('From the folder of the session, with `/` between its parts; absolute where the file is elsewhere.');

/** A change to one file, as a unified diff. The names in its header are the agent's own. */
export const fileDiffSchema = z.object({
  path: pathSchema,
  unified: z.string(),
  is_cut: z.boolean().optional().describe('The change goes on beyond what is told of it.'),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

/** What a call does, in a word that every agent can say. */
const toolKindSchema = z.enum([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'task',
  'other',
]);
export type ToolKind = z.infer<typeof toolKindSchema>;

/** Bytes are inside as base64, or at an address; one of both. */
const bytes = { data: z.string().optional(), url: z.string().optional() };

const textBlockSchema = block('text', { text: z.string() });
const imageBlockSchema = block('image', { media_type: z.string(), ...bytes });
const fileBlockSchema = block('file', {
  name: z.string(),
  media_type: z.string().optional(),
  uri: z.string().optional().describe('Where the file is on the machine of the agent.'),
  ...bytes,
});

/** What a person may send. */
export const promptBlockSchema = z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema, fileBlockSchema]);
export type PromptBlock = z.infer<typeof promptBlockSchema>;

/** One thing that an agent offers to choose when it asks. */
export const approvalOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always', 'answer']),
});
export type ApprovalOption = z.infer<typeof approvalOptionSchema>;

/**
 * A piece of a message.
 *
 * The first four are the protocol; a reader may ignore every other one. Their fields are spelled as they travel.
 */
export const contentBlockSchema = z.discriminatedUnion('type', [
  textBlockSchema,
  block('thinking', { thinking: z.string() }),
  block('tool_use', {
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    title: z.string().optional().describe('The call in a line, for people.'),
    kind: toolKindSchema.optional(),
    parent_tool_use_id: z.string().optional().describe('The call whose task this call is part of.'),
    locations: z.array(z.object({ path: pathSchema, line: z.number().optional() })).optional(),
  }),
  block('tool_result', {
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean().optional(),
    diffs: z.array(fileDiffSchema).optional(),
    attachments: z.array(z.discriminatedUnion('type', [imageBlockSchema, fileBlockSchema])).optional(),
  }),
  imageBlockSchema,
  fileBlockSchema,
  block('plan', {
    entries: z.array(
      z.object({
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
        priority: z.enum(['high', 'medium', 'low']).optional(),
      }),
    ),
  }),
  block('usage', {
    input_tokens: z.number().optional(),
    output_tokens: z.number().optional(),
    reasoning_tokens: z.number().optional(),
    cache_read_tokens: z.number().optional(),
    cache_write_tokens: z.number().optional(),
    cost_usd: z.number().optional().describe('What this took; not a running total.'),
    context_used: z.number().optional(),
    context_size: z.number().optional(),
  }),
  block('approval', {
    id: z.string(),
    title: z.string(),
    options: z.array(approvalOptionSchema),
    tool_use_id: z.string().optional(),
    reason: z.string().optional(),
    diffs: z.array(fileDiffSchema).optional(),
    decision: z.string().optional().describe('What was decided, in words; absent while it waits.'),
  }),
  block('error', {
    message: z.string(),
    code: z.string().optional(),
    fix: z.string().optional().describe('What to do about it, such as a command to run on that machine.'),
  }),
  block('notice', { text: z.string(), level: z.enum(['info', 'warning']).optional() }),
]);
export type ContentBlock = z.infer<typeof contentBlockSchema>;
export type ContentBlockType = ContentBlock['type'];
export type ContentBlockOf<Type extends ContentBlockType> = Extract<ContentBlock, { type: Type }>;
