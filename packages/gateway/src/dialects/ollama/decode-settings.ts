import type { ModelCall, ReasoningEffort } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import type { OllamaSettings } from './wire.ts';

/** What a request says about how to answer. */
export function decodeOllamaSettings({ options, think, format }: OllamaSettings): Omit<ModelCall, 'prompt' | 'tools'> {
  const { num_predict: limit, stop } = options ?? {};
  return {
    // Numbers below one mean "until it is done" there.
    ...optional('maxOutputTokens', typeof limit === 'number' && limit >= 1 ? Math.floor(limit) : undefined),
    ...optional('temperature', options?.temperature),
    ...optional('topP', options?.top_p),
    ...optional('topK', options?.top_k),
    ...optional('minP', options?.min_p),
    ...optional('presencePenalty', options?.presence_penalty),
    ...optional('frequencyPenalty', options?.frequency_penalty),
    ...optional('stopSequences', stop ? [stop].flat() : undefined),
    ...optional('seed', options?.seed),
    ...optional('reasoningEffort', toEffort(think)),
    ...optional('responseFormat', toResponseFormat(format)),
  };
}

function toEffort(think: OllamaSettings['think']): ReasoningEffort | undefined {
  if (think === undefined || think === null) return undefined;
  if (typeof think === 'string') return think;
  return think ? 'medium' : 'none';
}

function toResponseFormat(format: OllamaSettings['format']): ModelCall['responseFormat'] | undefined {
  if (format === undefined || format === null || format === '') return undefined;
  return format === 'json' ? { type: 'json' } : { type: 'json', schema: format };
}
