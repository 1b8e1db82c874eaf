import { createHash } from 'node:crypto';
import type { ModelCall } from '@dragoman/protocol';
import type { ProviderConfig } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';
import type { JsonObject } from '../tools/json-object.ts';

/** What there is to know about a request when it is marked for the provider's prompt cache. */
export interface MarkedCall {
  target: Target;
  /** Whose conversation it is, and on which route; nothing where nobody is known. */
  asker: string | undefined;
  /** Nothing will follow: the end of the prompt is not worth keeping. */
  isOneOff: boolean;
  /** It is the client's own request, which is left alone where the client said what to cache. */
  isRelayed: boolean;
}

/** A request in the provider's own protocol, with what its prompt cache wants to be told. The given one is not changed. */
export type MarkPrompt = (body: JsonObject, call: MarkedCall) => JsonObject;

/** A call that is written for a target, not passed on. */
export function encodedCall({ asker, isOneOff }: ModelCall, target: Target): MarkedCall {
  return { target, asker, isOneOff: isOneOff === true, isRelayed: false };
}

/** Whether a provider takes the cache fields of OpenAI: its own service does; of others only the settings can say it. */
export function takesOpenAiCaching({ promptCaching, baseUrl }: ProviderConfig): boolean {
  return promptCaching ?? (baseUrl === undefined || /(?:^|\.)api\.openai\.com$/.test(new URL(baseUrl).hostname));
}

/** So much of a beginning tells conversations apart. */
const OPENING_LENGTH = 64 * 1024;

/**
 * The name of a conversation at a provider's cache: the same in all its turns, as it is made from how it began, and another
 * for everybody else.
 */
export function promptCacheKey(asker: string, opening: unknown): string {
  const hash = createHash('sha256').update(asker).update('\0');
  return `dragoman-${hash.update(JSON.stringify(opening).slice(0, OPENING_LENGTH)).digest('hex').slice(0, 32)}`;
}
