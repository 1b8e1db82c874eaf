import { z } from 'zod';
import { LIST_LIMITS } from '../list-limits.ts';

/** A legacy Completions request as clients send it: what we read, leniently. Unknown fields pass. */
export const completionRequestSchema = z.looseObject({
  model: z.string().nullish(),
  /** A text. Lists hold several texts, or the numbers of tokens. */
  prompt: z.union([z.string(), z.array(z.unknown())], 'expected a text'),
  suffix: z.string().nullish(),
  echo: z.boolean().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(LIST_LIMITS.settings)]).nullish(),
  max_tokens: z.number().int().min(0).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().nullish(),
  min_p: z.number().nullish(),
  user: z.string().nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  seed: z.number().nullish(),
  n: z.number().nullish(),
  best_of: z.number().nullish(),
  logprobs: z.number().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
});
export type CompletionRequest = z.infer<typeof completionRequestSchema>;
