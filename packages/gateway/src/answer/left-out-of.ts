import type { DecodedRequest, Dialect } from '../dialects/dialect.ts';
import type { Target } from '../routing/target.ts';
import { namesConversations } from '../upstreams/mark-prompt.ts';
import type { AcceptedCall } from '../upstreams/upstream.ts';

const NOTHING: readonly string[] = [];

/** What of a request a target was not told, in the client's words: what the decoder left out, and the target's own. */
export function leftOutOf<Context>(
  { call, leftOut = NOTHING, settingNames }: DecodedRequest<Context>,
  { leftOut: settings = [] }: AcceptedCall,
  dialect: Dialect<Context>,
  target: Target,
): readonly string[] {
  const hasKey = call.promptCacheKey !== undefined && !namesConversations(target);
  if (settings.length === 0 && !hasKey) return leftOut;
  const untold = settings.map((setting) => settingNames?.[setting] ?? dialect.settingNames[setting] ?? setting);
  if (hasKey) untold.push('prompt_cache_key');
  return [...new Set([...leftOut, ...untold])].filter((name) => name !== '');
}
