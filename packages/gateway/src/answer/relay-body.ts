import { redactText } from '../policy/redact-text.ts';
import type { Route } from '../routing/resolve-route.ts';
import type { RelayedDialect } from './relay-call.ts';

/** Where a protocol keeps what was said, and what it calls the settings that a route may fill. */
const FIELDS: Record<RelayedDialect, { said: readonly string[]; maxTokens: readonly string[] }> = {
  'openai-chat': { said: ['messages'], maxTokens: ['max_tokens', 'max_completion_tokens'] },
  'openai-responses': { said: ['instructions', 'input'], maxTokens: ['max_output_tokens'] },
  'anthropic-messages': { said: ['system', 'messages'], maxTokens: ['max_tokens'] },
};

/** Never looked into: bytes of files, and what a provider signed. */
const OPAQUE = new Set([
  'data',
  'url',
  'image_url',
  'file_data',
  'signature',
  'encrypted_content',
  'id',
  'tool_use_id',
  'tool_call_id',
  'call_id',
  'type',
  'role',
]);

/**
 * The client's own request, for the provider: another model name, settings the client left open, and secrets taken out
 * where there were any. Everything else stays as it was sent, unknown fields and cache marks included.
 */
export function relayBody(
  dialect: RelayedDialect,
  body: unknown,
  model: string,
  route: Route,
  hasSecrets: boolean,
): string {
  const fields = FIELDS[dialect];
  const sent: Record<string, unknown> = { ...(body as Record<string, unknown>), model };
  if (route.temperature !== undefined) sent['temperature'] ??= route.temperature;
  const hasLimit = fields.maxTokens.some((name) => sent[name] !== undefined && sent[name] !== null);
  if (route.maxTokens !== undefined && !hasLimit) sent[fields.maxTokens[0]!] = route.maxTokens;
  if (wantsHiddenUsage(dialect, body)) sent['stream_options'] = { include_usage: true };
  if (hasSecrets) for (const name of fields.said) sent[name] = withoutSecrets(sent[name]);
  return JSON.stringify(sent);
}

/** A streamed Chat Completion tells its usage only when asked to. Where the client leaves it open, we ask, for the usage log. */
export function wantsHiddenUsage(dialect: RelayedDialect, body: unknown): boolean {
  const { stream, stream_options: options } = body as { stream?: unknown; stream_options?: unknown };
  return dialect === 'openai-chat' && stream === true && (options === undefined || options === null);
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value).text;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, OPAQUE.has(key) ? item : withoutSecrets(item)]),
  );
}
