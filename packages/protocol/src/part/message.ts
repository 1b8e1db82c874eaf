import { z } from 'zod';
import { agentErrorSchema } from '../agent/agent-error.ts';
import { type AnyPart, anyPartSchema } from './part.ts';
import { tokensSchema } from './tokens.ts';
import { modelNameSchema } from './model-name.ts';

/** One file's change, for people. */
const fileDiffSchema = z.object({
  file: z.string(),
  additions: z.number().optional(),
  deletions: z.number().optional(),
});

/** What a user message says of itself, beside its parts. */
export const userInfoSchema = z.object({
  id: z.string(),
  sessionID: z.string(),
  role: z.literal('user'),
  time: z.object({ created: z.number(), compacted: z.number().optional() }),
  agent: z.string(),
  model: modelNameSchema,
  variant: z.string().optional().describe('A variant of the model, such as how hard it thinks.'),
  system: z.string().optional().describe('What this prompt adds to the system prompt.'),
  tools: z.record(z.string(), z.boolean()).optional().describe('false hides a tool.'),
  summary: z
    .object({ title: z.string().optional(), body: z.string().optional(), diffs: z.array(fileDiffSchema).optional() })
    .optional()
    .describe('Made when the view of the model is shortened.'),
});
export type UserInfo = z.infer<typeof userInfoSchema>;

/** What an assistant message says of itself: one model call, what it took and how it ended. */
export const assistantInfoSchema = z.object({
  id: z.string(),
  sessionID: z.string(),
  role: z.literal('assistant'),
  time: z.object({ created: z.number(), completed: z.number().optional(), compacted: z.number().optional() }),
  parentID: z.string().describe('The user message it answers.'),
  agent: z.string(),
  model: modelNameSchema,
  variant: z.string().optional(),
  path: z.object({ cwd: z.string(), root: z.string() }),
  cost: z.number().describe('US dollars.'),
  costSource: z.enum(['provider', 'computed']).describe('Who says so: the provider, or our price list.'),
  tokens: tokensSchema,
  finish: z.string().optional(),
  summary: z.boolean().optional().describe('It sums up what left the view of the model.'),
  error: agentErrorSchema.optional(),
});
export type AssistantInfo = z.infer<typeof assistantInfoSchema>;

/** Either of them, told apart by `role`. */
export const messageInfoSchema = z.discriminatedUnion('role', [userInfoSchema, assistantInfoSchema]);
export type MessageInfo = z.infer<typeof messageInfoSchema>;

/** A message is its info and its parts, in order; it has no content outside them. */
export const messageSchema = z.object({ info: messageInfoSchema, parts: z.array(anyPartSchema).readonly() });
/** A message of one kind, or of any. */
export interface Message<Info extends MessageInfo = MessageInfo> {
  readonly info: Info;
  readonly parts: readonly AnyPart[];
}
