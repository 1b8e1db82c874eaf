import { z } from 'zod';
import { agentErrorSchema } from '../agent/agent-error.ts';
import { filePartSchema } from './file-part.ts';
import { partBaseSchema } from './part-base.ts';
import { toolStateSchema } from './tool-state.ts';
import { tokensSchema } from './tokens.ts';
import { modelNameSchema } from './model-name.ts';

const metadata = z.record(z.string(), z.unknown());

/** Text, of a person or of the model. */
const textPartSchema = partBaseSchema.extend({
  type: z.literal('text'),
  text: z.string(),
  synthetic: z.boolean().optional().describe('Written by the runtime, not by the person.'),
  ignored: z.boolean().optional().describe('Shown, and not sent to the model.'),
  time: z.object({ start: z.number(), end: z.number().optional() }).optional(),
  metadata: metadata.optional(),
});

/** `metadata` keeps what the provider wants back with it, such as its signature, by the provider's name. */
const reasoningPartSchema = partBaseSchema.extend({
  type: z.literal('reasoning'),
  text: z.string(),
  time: z.object({ start: z.number(), end: z.number().optional() }),
  metadata: metadata.optional(),
});

/** A tool call with its state. */
const toolPartSchema = partBaseSchema.extend({
  type: z.literal('tool'),
  callID: z.string(),
  tool: z.string(),
  state: toolStateSchema,
  metadata: metadata.optional(),
});

/** A model call begins. */
const stepStartPartSchema = partBaseSchema.extend({
  type: z.literal('step-start'),
  snapshot: z.string().optional(),
});

/** A model call and the tool calls it asked for are over. */
const stepFinishPartSchema = partBaseSchema.extend({
  type: z.literal('step-finish'),
  reason: z.string(),
  snapshot: z.string().optional(),
  cost: z.number(),
  tokens: tokensSchema,
});

/** The state of the files at a moment; written when a step changed some. */
const snapshotPartSchema = partBaseSchema.extend({ type: z.literal('snapshot'), snapshot: z.string() });

/** The files a step changed; `hash` is the state before it. */
const patchPartSchema = partBaseSchema.extend({
  type: z.literal('patch'),
  hash: z.string(),
  files: z.array(z.string()),
});

/** Work that is to be done by another agent. */
const subtaskPartSchema = partBaseSchema.extend({
  type: z.literal('subtask'),
  prompt: z.string(),
  description: z.string(),
  agent: z.string(),
  model: modelNameSchema.optional(),
  command: z.string().optional(),
});

/** A mention of an agent in a prompt. */
const agentPartSchema = partBaseSchema.extend({
  type: z.literal('agent'),
  name: z.string(),
  source: z.object({ value: z.string(), start: z.number(), end: z.number() }).optional(),
});

/** A model call was tried again; what the failed one had written is gone. */
const retryPartSchema = partBaseSchema.extend({
  type: z.literal('retry'),
  attempt: z.number(),
  error: agentErrorSchema,
  time: z.object({ created: z.number() }),
});

/** Where the view of the model was shortened; what follows `tailStartID` stayed as it was. */
const compactionPartSchema = partBaseSchema.extend({
  type: z.literal('compaction'),
  auto: z.boolean(),
  overflow: z.boolean().optional().describe('The provider had refused the prompt as too long.'),
  tailStartID: z.string().optional().describe('The first message that stays in view beside the summary.'),
  time: z.object({ compacted: z.number() }).optional(),
});

/** One piece of a message, told apart by `type`. */
export const partSchema = z.discriminatedUnion('type', [
  textPartSchema,
  subtaskPartSchema,
  reasoningPartSchema,
  filePartSchema,
  toolPartSchema,
  stepStartPartSchema,
  stepFinishPartSchema,
  snapshotPartSchema,
  patchPartSchema,
  agentPartSchema,
  retryPartSchema,
  compactionPartSchema,
]);

export type Part = z.infer<typeof partSchema>;

/** A part of a type of one's own; `PartRegistry` knows what it holds. */
const customPartSchema = partBaseSchema.extend({ type: z.templateLiteral(['x-', z.string()]) }).loose();
export type CustomPart = z.infer<typeof customPartSchema>;

/** A part of ours, or one of one's own. */
export const anyPartSchema = z.union([partSchema, customPartSchema]);
/** A part of ours, or one of one's own. */
export type AnyPart = Part | CustomPart;

export type TextPart = z.infer<typeof textPartSchema>;
export type SubtaskPart = z.infer<typeof subtaskPartSchema>;
export type ReasoningPart = z.infer<typeof reasoningPartSchema>;
export type ToolPart = z.infer<typeof toolPartSchema>;
export type StepStartPart = z.infer<typeof stepStartPartSchema>;
export type StepFinishPart = z.infer<typeof stepFinishPartSchema>;
export type SnapshotPart = z.infer<typeof snapshotPartSchema>;
export type PatchPart = z.infer<typeof patchPartSchema>;
export type AgentPart = z.infer<typeof agentPartSchema>;
export type RetryPart = z.infer<typeof retryPartSchema>;
export type CompactionPart = z.infer<typeof compactionPartSchema>;
