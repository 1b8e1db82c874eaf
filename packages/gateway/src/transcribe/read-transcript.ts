import { DragomanError, type ModelUsage } from '@dragoman/protocol';
import { z } from 'zod';
import { parseAnswer } from '../upstreams/parse-answer.ts';

const transcriptSchema = z.looseObject({
  text: z.string(),
  // Some bill by the length of the recording and count no tokens.
  usage: z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish(),
});

/** What a provider wrote down, and what it used for that, where it counts tokens. Throws where it is no transcript. */
export function readTranscript(json: string, providerName: string): { text: string; usage: ModelUsage | undefined } {
  const parsed = transcriptSchema.safeParse(parseAnswer(json));
  if (!parsed.success)
    throw new DragomanError('unavailable', `The provider "${providerName}" returned no text for the recording.`, {
      isRetryable: true,
    });
  const { text, usage } = parsed.data;
  return {
    text,
    usage:
      usage?.input_tokens === undefined
        ? undefined
        : { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens ?? 0 },
  };
}
