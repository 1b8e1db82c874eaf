import { z } from 'zod';
import { isJsonObject } from '../../tools/json-object.ts';
import { LIST_LIMITS } from '../list-limits.ts';
import { tokenLimitSchema } from '../token-limit.ts';
import { MAX_TOOL_NAME } from '../../tools/tool-name.ts';

/**
 * A Responses request as clients send it: what we read, leniently. Unknown fields pass.
 *
 * Text may stand where a list is meant; it becomes a list at once, so that a mistake inside an item is reported with its
 * place.
 */
const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
  image_url: z.string().nullish(),
  detail: z.string().nullish(),
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
  file_id: z.string().nullish(),
  filename: z.string().nullish(),
});
export type ResponsesPart = z.infer<typeof partSchema>;

const partsSchema = z.preprocess((content) => {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }];
  return content ?? [];
}, z.array(partSchema).max(LIST_LIMITS.parts));

const KNOWN_ITEMS = new Set<unknown>([
  'message',
  'agent_message',
  'reasoning',
  'additional_tools',
  ...['function', 'custom_tool', 'tool_search', 'local_shell', 'shell', 'apply_patch'].flatMap((tool) => [
    `${tool}_call`,
    `${tool}_call_output`,
  ]),
  'tool_search_output',
]);

const toolSchema = z.looseObject({
  type: z.string().nullish(),
  name: z.string().nullish(),
  namespace: z.string().nullish(),
  description: z.string().nullish(),
});
export const toolsSchema = z.array(toolSchema).max(LIST_LIMITS.tools);

const knownItemSchema = z.looseObject({
  /** Absent: a message. */
  type: z.string().nullish(),
  id: z.string().nullish(),
  // Messages, and the open thoughts of a reasoning item.
  role: z.enum(['system', 'developer', 'user', 'assistant']).nullish(),
  content: partsSchema,
  phase: z.string().nullish(),
  // What one agent of several tells another.
  author: z.string().nullish(),
  recipient: z.string().nullish(),
  // Calls of tools and what they returned.
  call_id: z.string().nullish(),
  name: z.string().max(MAX_TOOL_NAME).nullish(),
  namespace: z.string().max(MAX_TOOL_NAME).nullish(),
  arguments: z.unknown().optional(),
  input: z.string().nullish(),
  status: z.string().nullish(),
  execution: z.string().nullish(),
  output: z.unknown().optional(),
  tools: toolsSchema.nullish(),
  // Reasoning.
  summary: partsSchema,
  encrypted_content: z.string().nullish(),
});
export type ResponsesItem = z.infer<typeof knownItemSchema>;

/** Of an item that is passed over, nothing but its type is looked at. */
const itemSchema = z.preprocess((item) => {
  const type = isJsonObject(item) ? (item['type'] ?? 'message') : 'message';
  return KNOWN_ITEMS.has(type) ? item : { type };
}, knownItemSchema);

/** What a function returned: text, or parts. */
export const outputSchema = partsSchema;

const toolChoiceSchema = z.preprocess(
  (choice) => (typeof choice === 'string' ? { type: choice } : choice),
  z
    .looseObject({
      type: z.string(),
      name: z.string().nullish(),
      namespace: z.string().nullish(),
      mode: z.enum(['auto', 'required']).nullish(),
      tools: toolsSchema.nullish(),
    })
    .nullish(),
);

export const responsesRequestSchema = z.looseObject({
  model: z.string().nullish(),
  instructions: z.string().nullish(),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input),
    z.array(itemSchema).min(1).max(LIST_LIMITS.messages),
  ),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
  background: z.boolean().nullish(),
  prompt: z.unknown().optional(),
  tools: toolsSchema.nullish(),
  tool_choice: toolChoiceSchema,
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: tokenLimitSchema,
  temperature: z.number().nullish(),
  prompt_cache_key: z.string().nullish(),
  top_p: z.number().nullish(),
  reasoning: z
    .looseObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      summary: z.string().nullish(),
    })
    .nullish(),
  text: z
    .looseObject({
      format: z
        .looseObject({
          type: z.string(),
          name: z.string().nullish(),
          description: z.string().nullish(),
          schema: z.record(z.string(), z.unknown()).nullish(),
          strict: z.boolean().nullish(),
        })
        .nullish(),
      verbosity: z.enum(['low', 'medium', 'high']).nullish(),
    })
    .nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  include: z.array(z.string()).max(LIST_LIMITS.settings).nullish(),
  service_tier: z.string().nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
});
export type ResponsesRequest = z.infer<typeof responsesRequestSchema>;

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface ResponsesMessageItem {
  id: string;
  type: 'message';
  status: ItemStatus;
  role: 'assistant';
  content: { type: 'output_text'; text: string; annotations: []; logprobs: [] }[];
  phase?: string;
}

export interface ResponsesReasoningItem {
  id: string;
  type: 'reasoning';
  summary: { type: 'summary_text'; text: string }[];
  encrypted_content?: string;
}

export interface ResponsesFunctionCallItem {
  id: string;
  type: 'function_call';
  status: ItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  arguments: string;
}

export interface ResponsesCustomCallItem {
  id: string;
  type: 'custom_tool_call';
  status: ItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  input: string;
}

/** A call of a tool with an item of its own; the other fields differ from tool to tool. */
interface ResponsesOwnCallItem {
  id: string;
  type: 'tool_search_call' | 'local_shell_call' | 'shell_call' | 'apply_patch_call';
  status: ItemStatus;
  call_id: string;
}

export type ResponsesCallItem = ResponsesFunctionCallItem | ResponsesCustomCallItem | ResponsesOwnCallItem;

/** What an answer's output is made of. */
export type ResponsesOutputItem = ResponsesMessageItem | ResponsesReasoningItem | ResponsesCallItem;
