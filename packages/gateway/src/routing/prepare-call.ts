import type { ModelCall } from '@dragoman/protocol';
import { optional } from '../optional.ts';
import { redactCall } from '../policy/redact-call.ts';
import { boundToolArguments } from '../repair/bound-tool-arguments.ts';
import { pairToolResults } from '../repair/pair-tool-results.ts';
import { namesConversations } from '../upstreams/mark-prompt.ts';
import type { Route } from './resolve-route.ts';

/** What the asker left open is filled from the route, secrets are taken out, and tool calls and results belong together. */
export async function prepareCall(
  asked: ModelCall,
  route: Route,
  conversation: () => string | undefined,
  signal?: AbortSignal,
): Promise<{ call: ModelCall; redactions: number }> {
  const { call, count } = route.isRedacted ? await redactCall(asked, signal) : { call: asked, count: 0 };
  const temperature = call.temperature ?? route.temperature;
  const promptCacheKey = call.promptCacheKey ?? (route.targets.some(namesConversations) ? conversation() : undefined);
  const maxOutputTokens = call.maxOutputTokens ?? route.maxTokens;
  return {
    call: {
      ...call,
      prompt: pairToolResults(boundToolArguments(call.prompt)),
      ...optional('promptCacheKey', promptCacheKey),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    redactions: count,
  };
}
