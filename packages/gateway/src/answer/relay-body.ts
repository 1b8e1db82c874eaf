import { redactBody } from '../policy/redact-body.ts';
import type { Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';
import { isJsonObject, type JsonObject } from '../tools/json-object.ts';
import { withoutSignedIds } from '../tools/signed-call-id.ts';
import type { MarkPrompt } from '../upstreams/mark-prompt.ts';
import type { RelayedDialect } from './relay-call.ts';

interface RelayedFields {
  said: readonly string[];
  maxTokens: readonly string[];
  /** The object that settings stand in, where they have one of their own. Then the address names the model. */
  settings?: readonly string[];
}

/** Where a protocol keeps what was said, and what it calls the settings that a route may fill. */
export const RELAYED_FIELDS: Record<RelayedDialect, RelayedFields> = {
  'openai-chat': { said: ['messages', 'prediction'], maxTokens: ['max_tokens', 'max_completion_tokens'] },
  'openai-completions': { said: ['prompt', 'suffix'], maxTokens: ['max_tokens'] },
  'openai-responses': { said: ['instructions', 'input'], maxTokens: ['max_output_tokens'] },
  'anthropic-messages': { said: ['system', 'messages'], maxTokens: ['max_tokens'] },
  gemini: {
    said: ['contents', 'systemInstruction', 'system_instruction'],
    maxTokens: ['maxOutputTokens', 'max_output_tokens'],
    settings: ['generationConfig', 'generation_config'],
  },
  ollama: {
    said: ['system', 'prompt', 'suffix', 'images', 'messages'],
    maxTokens: ['num_predict'],
    settings: ['options'],
  },
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
  marking: { markPrompt: MarkPrompt | undefined; conversation: () => string | undefined },
  signal: AbortSignal,
): Promise<{ text: string; redactions: number }> {
  const fields = RELAYED_FIELDS[dialect];
  const { body, count } = route.isRedacted
    ? await redactBody(asked as JsonObject, fields.said, signal)
    : { body: asked as JsonObject, count: 0 };
  // Gemini has the name of the model in its address.
  const sent: Record<string, unknown> = dialect === 'gemini' ? { ...body } : { ...body, model: target.model };
  if (dialect === 'ollama') addProviderOptions(sent, target);
  fillSettings(sent, fields, route);
  if (wantsHiddenUsage(dialect, asked)) sent['stream_options'] = { include_usage: true };
  const { markPrompt, conversation } = marking;
  const marked = markPrompt?.(sent, { target, conversation, isOneOff: false, isRelayed: true }) ?? sent;
  return { text: withoutSignedIds(JSON.stringify(marked)), redactions: count };
}

function fillSettings(sent: Record<string, unknown>, fields: RelayedFields, { temperature, maxTokens }: Route): void {
  if (temperature === undefined && maxTokens === undefined) return;
  const place = fields.settings?.find((name) => isJsonObject(sent[name])) ?? fields.settings?.[0];
  const settings = place === undefined ? sent : { ...(sent[place] as JsonObject | undefined) };
  if (temperature !== undefined) settings['temperature'] ??= temperature;
  const hasLimit = fields.maxTokens.some((name) => settings[name] !== undefined && settings[name] !== null);
  if (maxTokens !== undefined && !hasLimit) settings[fields.maxTokens[0]!] = maxTokens;
  if (place !== undefined) sent[place] = settings;
}

/** What the provider sets itself, such as the size of the context, holds where the client is silent. */
function addProviderOptions(sent: Record<string, unknown>, { provider }: Target): void {
  const { options } = sent;
  if (Object.keys(provider.options).length === 0) return;
  if (options === undefined || options === null || isJsonObject(options))
    sent['options'] = { ...provider.options, ...options };
}

const TELLS_WHEN_ASKED: ReadonlySet<RelayedDialect> = new Set(['openai-chat', 'openai-completions']);

/** A streamed completion tells its usage only when asked to. Where the client leaves it open, we ask, for the usage log. */
export function wantsHiddenUsage(dialect: RelayedDialect, body: unknown): boolean {
  const { stream, stream_options: options } = body as { stream?: unknown; stream_options?: unknown };
  return TELLS_WHEN_ASKED.has(dialect) && stream === true && (options === undefined || options === null);
}
