import type { ModelUsage } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import type { GeminiUsageMetadata } from './wire.ts';

/** This protocol counts thoughts beside the candidates, and what was cached as a part of the prompt. */
export function toUsageMetadata(usage: ModelUsage | undefined): GeminiUsageMetadata {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens, cacheReadTokens } = usage ?? {};
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: Math.max(0, outputTokens - (reasoningTokens ?? 0)),
    totalTokenCount: inputTokens + outputTokens,
    ...optional('thoughtsTokenCount', reasoningTokens),
    ...optional('cachedContentTokenCount', cacheReadTokens),
  };
}
