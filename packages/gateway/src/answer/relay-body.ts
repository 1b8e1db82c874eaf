import { redactBody } from '../policy/redact-body.ts';
import type { Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';
import type { JsonObject } from '../tools/json-object.ts';
import { withoutSignedIds } from '../tools/signed-call-id.ts';
import type { MarkPrompt } from '../upstreams/mark-prompt.ts';
import type { RelayedDialect } from './relay-call.ts';

/** Where a protocol keeps what was said, and what it calls the settings that a route may fill. */
export const RELAYED_FIELDS: Record<RelayedDialect, { said: readonly string[]; maxTokens: readonly string[] }> = {
  'openai-chat': { said: ['messages', 'prediction'], maxTokens: ['max_tokens', 'max_completion_tokens'] },
  'openai-completions': { said: ['prompt', 'suffix'], maxTokens: ['max_tokens'] },
  'openai-responses': { said: ['instructions', 'input'], maxTokens: ['max_output_tokens'] },
  'anthropic-messages': { said: ['system', 'messages'], maxTokens: ['max_tokens'] },
};

/**
 * The client's own request, for the provider: another model name, settings the client left open, and secrets taken out,
 * with how many there were. What its prompt cache shall keep is said where the client says nothing about it. Everything
 * else stays as it was sent, unknown fields and cache marks included.
 */
export async function relayBody(
  dialect: RelayedDialect,
  asked: unknown,
  target: Target,
  route: Route,
  marking: { markPrompt: MarkPrompt | undefined; asker: string },
  signal: AbortSignal,
): Promise<{ text: string; redactions: number }> {
  const fields = RELAYED_FIELDS[dialect];
  const { body, count } = route.isRedacted
    ? await redactBody(asked as JsonObject, fields.said, signal)
    : { body: asked as JsonObject, count: 0 };
  const sent: Record<string, unknown> = { ...body, model: target.model };
  if (route.temperature !== undefined) sent['temperature'] ??= route.temperature;
  const hasLimit = fields.maxTokens.some((name) => sent[name] !== undefined && sent[name] !== null);
  if (route.maxTokens !== undefined && !hasLimit) sent[fields.maxTokens[0]!] = route.maxTokens;
  if (wantsHiddenUsage(dialect, asked)) sent['stream_options'] = { include_usage: true };
  const { markPrompt, asker } = marking;
  const marked = markPrompt?.(sent, { target, asker, isOneOff: false, isRelayed: true }) ?? sent;
  return { text: withoutSignedIds(JSON.stringify(marked)), redactions: count };
}

const TELLS_WHEN_ASKED: ReadonlySet<RelayedDialect> = new Set(['openai-chat', 'openai-completions']);

/** A streamed completion tells its usage only when asked to. Where the client leaves it open, we ask, for the usage log. */
export function wantsHiddenUsage(dialect: RelayedDialect, body: unknown): boolean {
  const { stream, stream_options: options } = body as { stream?: unknown; stream_options?: unknown };
  return TELLS_WHEN_ASKED.has(dialect) && stream === true && (options === undefined || options === null);
}
