import { inTurns } from '@dragoman/server';
import type { Gateway } from '../../gateway.ts';
import { type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { redactSaid } from '../../policy/redact-said.ts';
import { Redaction } from '../../policy/redaction.ts';
import type { Route } from '../../routing/resolve-route.ts';
import type { Target } from '../../routing/target.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { modelPath, modelResource } from '../../upstreams/gemini/model-path.ts';
import { askForCount } from '../ask-for-count.ts';
import { countTokens } from '../anthropic-messages/count-tokens.ts';
import { decodeGeminiRequest } from './decode-request.ts';

/** How many tokens a request has: by Google's own count where it would answer, else about as many as `countTokens` finds. */
export async function countGeminiTokens(
  { gateway, asked, caller, signal }: { gateway: Gateway; asked: string; caller: ModelAsker; signal: AbortSignal },
  body: unknown,
): Promise<{ totalTokens: number }> {
  const route = resolveAllowed(asked, gateway.config(), caller);
  const [target] = route.targets;
  const mayAsk = target?.provider.type === 'gemini' && gateway.upstreams.mayRelay;
  const counted = mayAsk ? await askProvider(gateway, body, route, target, signal) : undefined;
  if (counted !== undefined) return { totalTokens: counted };
  const { call } = decodeGeminiRequest(wholeRequest(body) ?? body, { asked, isStreamed: false });
  return { totalTokens: countTokens(call) };
}

async function askProvider(
  gateway: Gateway,
  body: unknown,
  { isRedacted }: Route,
  target: Target,
  signal: AbortSignal,
): Promise<number | undefined> {
  const asked = isRedacted ? await inTurns(redactSaid(body, new Redaction()), signal) : body;
  const whole = wholeRequest(asked);
  const sent = isJsonObject(whole)
    ? { generateContentRequest: { ...whole, model: modelResource(target.model) } }
    : asked;
  const path = modelPath(target.model, 'countTokens');
  const question = { path, headers: {}, body: JSON.stringify(sent) };
  return askForCount(gateway, target, question, 'totalTokens', signal);
}

/** All that would be sent, where more than the contents is to be counted. */
function wholeRequest(body: unknown): unknown {
  return isJsonObject(body) ? (body['generateContentRequest'] ?? body['generate_content_request']) : undefined;
}
