import { z } from 'zod';
import { LIST_LIMITS } from '../list-limits.ts';
import { tokenLimitSchema } from '../token-limit.ts';
import { MAX_TOOL_NAME } from '../../tools/tool-name.ts';

/**
 * A Messages request as clients send it: what we read, leniently. Unknown fields pass.
 *
 * Text may stand where a list of blocks is meant; it becomes a list at once, so that a mistake inside a block is
 * reported with its place.
 */
const sourceSchema = z.looseObject({
  type: z.string(),
  media_type: z.string().nullish(),
  data: z.string().nullish(),
  url: z.string().nullish(),
  content: z.unknown().optional(),
});

const cacheControlSchema = z.record(z.string(), z.unknown()).nullish();

const blockSchema = z.looseObject({
  type: z.string(),
  cache_control: cacheControlSchema,
  text: z.string().nullish(),
  // Images, documents and search results, whose source is only an address.
  source: z.preprocess(
    (source) => (typeof source === 'string' ? { type: 'address', url: source } : source),
    sourceSchema.nullish(),
  ),
  title: z.string().nullish(),
  context: z.string().nullish(),
  /** Asked for of a document; told of a text. */
  citations: z.unknown().optional(),
  // Tool calls and their results.
  id: z.string().nullish(),
  name: z.string().max(MAX_TOOL_NAME).nullish(),
  input: z.unknown().optional(),
  tool_use_id: z.string().nullish(),
  is_error: z.boolean().nullish(),
  content: z.unknown().optional(),
  // Thoughts.
  thinking: z.string().nullish(),
  signature: z.string().nullish(),
  data: z.string().nullish(),
});
export type AnthropicBlock = z.infer<typeof blockSchema>;

/** Blocks, or text that stands for one. Nothing is no blocks. */
export const blocksSchema = z.preprocess((content) => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content ?? [];
}, z.array(blockSchema).max(LIST_LIMITS.parts));

const formatSchema = z.looseObject({ type: z.string(), schema: z.record(z.string(), z.unknown()).nullish() }).nullish();

const turnSchema = z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: blocksSchema });

export const anthropicRequestSchema = z.looseObject({
  model: z.string().nullish(),
  system: blocksSchema,
  messages: z.array(turnSchema).min(1).max(LIST_LIMITS.messages),
  cache_control: cacheControlSchema,
  tools: z
    .array(z.looseObject({ type: z.string().nullish(), name: z.string().nullish(), cache_control: cacheControlSchema }))
    .max(LIST_LIMITS.tools)
    .nullish(),
  tool_choice: z
    .looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().nullish(),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .nullish(),
  stream: z.boolean().nullish(),
  max_tokens: tokenLimitSchema,
  stop_sequences: z.array(z.string()).max(LIST_LIMITS.settings).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().nullish(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.number().nullish() }).nullish(),
  output_config: z
    .looseObject({ effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(), format: formatSchema })
    .nullish(),
  /** An older name of `output_config.format`. */
  output_format: formatSchema,
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  service_tier: z.string().nullish(),
});
export type AnthropicRequest = z.infer<typeof anthropicRequestSchema>;

/** What a message of the assistant's is made of, on its way out. */
export type AnthropicAnswerBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

export interface AnthropicUsage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  output_tokens_details?: { thinking_tokens: number };
}
