import type { ModelCall } from '@dragoman/protocol';
import type { ProviderConfig } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';
import type { JsonObject } from '../tools/json-object.ts';

/** What there is to know about a request when it is marked for the provider's prompt cache. */
export interface MarkedCall {
  target: Target;
  /** Names the conversation it belongs to; asked only where the provider wants to know. */
  conversation: () => string | undefined;
  /** Nothing will follow: the end of the prompt is not worth keeping. */
  isOneOff: boolean;
  /** It is the client's own request, which is left alone where the client said what to cache. */
  isRelayed: boolean;
}

/** A request in the provider's own protocol, with what its prompt cache wants to be told. The given one is not changed. */
export type MarkPrompt = (body: JsonObject, call: MarkedCall) => JsonObject;

/** A call that is written for a target, not passed on. */
export function encodedCall({ promptCacheKey, isOneOff }: ModelCall, target: Target): MarkedCall {
  return { target, conversation: () => promptCacheKey, isOneOff: isOneOff === true, isRelayed: false };
}

/** Whether a target's protocol names conversations to its cache. */
export function namesConversations({ provider }: Target): boolean {
  return (provider.type === 'openai-chat' || provider.type === 'openai-responses') && takesOpenAiCaching(provider);
}

/** Whether a provider takes the cache fields of OpenAI: its own service does; of others only the settings can say it. */
export function takesOpenAiCaching({ promptCaching, baseUrl }: ProviderConfig): boolean {
  return promptCaching ?? (baseUrl === undefined || /(?:^|\.)api\.openai\.com$/.test(new URL(baseUrl).hostname));
}
