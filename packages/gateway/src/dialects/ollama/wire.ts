import { z } from 'zod';
import { MAX_TOOL_NAME } from '../../tools/tool-name.ts';
import { LIST_LIMITS } from '../list-limits.ts';

/** Requests of Ollama's clients: what we read, leniently. Which fields there are, and what becomes of each, is in `fields.ts`. */
const imagesSchema = z.array(z.string()).max(LIST_LIMITS.parts).nullish();

const messageSchema = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  thinking: z.string().nullish(),
  images: imagesSchema,
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({
          name: z.string().max(MAX_TOOL_NAME),
          arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).nullish(),
        }),
      }),
    )
    .max(LIST_LIMITS.parts)
    .nullish(),
  tool_name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
});
export type OllamaRequestMessage = z.infer<typeof messageSchema>;

const settings = {
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high', 'max'])]).nullish(),
  format: z.union([z.enum(['', 'json']), z.record(z.string(), z.unknown())]).nullish(),
  options: z
    .looseObject({
      temperature: z.number().nullish(),
      top_p: z.number().nullish(),
      top_k: z.number().nullish(),
      min_p: z.number().nullish(),
      num_predict: z.number().nullish(),
      stop: z.union([z.string(), z.array(z.string()).max(LIST_LIMITS.settings)]).nullish(),
      seed: z.number().nullish(),
      presence_penalty: z.number().nullish(),
      frequency_penalty: z.number().nullish(),
    })
    .nullish(),
};
const settingsSchema = z.looseObject(settings);
export type OllamaSettings = z.infer<typeof settingsSchema>;

export const ollamaChatSchema = z.looseObject({
  messages: z.array(messageSchema).max(LIST_LIMITS.messages).nullish(),
  tools: z.array(z.unknown()).max(LIST_LIMITS.tools).nullish(),
  ...settings,
});

export const ollamaGenerateSchema = z.looseObject({
  prompt: z.string().nullish(),
  suffix: z.string().nullish(),
  system: z.string().nullish(),
  images: imagesSchema,
  ...settings,
});
