import { z } from 'zod';
import { LIST_LIMITS } from '../list-limits.ts';
import { tokenLimitSchema } from '../token-limit.ts';
import { MAX_TOOL_NAME } from '../../tools/tool-name.ts';

/** Not of this protocol, but clients write it for Claude. */
const cacheControlSchema = z.record(z.string(), z.unknown()).nullish();

/** A Chat Completions request as clients send it: what we read, leniently. Unknown fields pass. */
const textPart = z.looseObject({ type: z.literal('text'), text: z.string(), cache_control: cacheControlSchema });
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.looseObject({ url: z.string(), detail: z.string().nullish() })]),
});
const filePart = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({ filename: z.string().nullish(), file_data: z.string().nullish() }),
});
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const contentSchema = z
  .union([
    z.string(),
    z
      .array(z.union([textPart, imagePart, filePart, refusalPart, z.looseObject({ type: z.string() })]))
      .max(LIST_LIMITS.parts),
  ])
  .nullish();

const functionCallSchema = z.looseObject({ name: z.string().max(MAX_TOOL_NAME), arguments: z.string().nullish() });

const chatMessageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: contentSchema,
  cache_control: cacheControlSchema,
  name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        extra_content: z
          .looseObject({ google: z.looseObject({ thought_signature: z.string().nullish() }).nullish() })
          .nullish(),
        function: functionCallSchema.nullish(),
        custom: z.looseObject({ name: z.string().max(MAX_TOOL_NAME), input: z.string().nullish() }).nullish(),
      }),
    )
    .max(LIST_LIMITS.parts)
    .nullish(),
  function_call: functionCallSchema.nullish(),
  refusal: z.string().nullish(),
  audio: z.unknown().optional(),
  reasoning_content: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).max(LIST_LIMITS.parts).nullish(),
});
export type ChatRequestMessage = z.infer<typeof chatMessageSchema>;

const toolSchema = z.looseObject({
  type: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
});

export const chatRequestSchema = z.looseObject({
  model: z.string().nullish(),
  messages: z.array(chatMessageSchema).min(1).max(LIST_LIMITS.messages),
  tools: z.array(z.unknown()).max(LIST_LIMITS.tools).nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({
        type: z.string().nullish(),
        allowed_tools: z
          .looseObject({
            mode: z.enum(['auto', 'required']).nullish(),
            tools: z.array(toolSchema).max(LIST_LIMITS.tools).nullish(),
          })
          .nullish(),
      }),
    ])
    .nullish(),
  functions: z.array(toolSchema).max(LIST_LIMITS.tools).nullish(),
  function_call: z.union([z.enum(['auto', 'none']), toolSchema]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().nullish(),
  min_p: z.number().nullish(),
  max_tokens: tokenLimitSchema,
  max_completion_tokens: tokenLimitSchema,
  n: z.number().int().min(1, 'expected 1 or more').nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(LIST_LIMITS.settings)]).nullish(),
  seed: z.number().nullish(),
  prompt_cache_key: z.string().nullish(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
  service_tier: z.string().nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z
        .looseObject({
          name: z.string().nullish(),
          description: z.string().nullish(),
          schema: z.record(z.string(), z.unknown()).nullish(),
          strict: z.boolean().nullish(),
        })
        .nullish(),
    })
    .nullish(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
