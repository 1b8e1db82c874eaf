import { inTurns } from '@dragoman/server';
import { z } from 'zod';
import type { Gateway } from '../../gateway.ts';
import { type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { redactSaid } from '../../policy/redact-said.ts';
import { Redaction } from '../../policy/redaction.ts';
import type { Route } from '../../routing/resolve-route.ts';
import type { Target } from '../../routing/target.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { modelPath, modelResource } from '../../upstreams/gemini/model-path.ts';
import { readText } from '../../upstreams/http-caller.ts';
import { parseAnswer } from '../../upstreams/parse-answer.ts';
import { ProviderRefusal } from '../../upstreams/upstream-error.ts';
import { httpUpstream } from '../../upstreams/upstream-registry.ts';
import { countTokens } from '../anthropic-messages/count-tokens.ts';
import { decodeGeminiRequest } from './decode-request.ts';

const answerSchema = z.looseObject({ totalTokens: z.int().min(0) });
/** A service that speaks the protocol without this call of it. */
const MISSING: ReadonlySet<number> = new Set([404, 405, 501]);

/** How many tokens a request has: by Google's own count where it would answer, else about as many as `countTokens` finds. */
export async function countGeminiTokens(
  { gateway, asked, caller, signal }: { gateway: Gateway; asked: string; caller: ModelAsker; signal: AbortSignal },
  body: unknown,
): Promise<{ totalTokens: number }> {
  const route = resolveAllowed(asked, gateway.config(), caller);
  const [target] = route.targets;
  const mayAsk = target?.provider.type === 'gemini' && gateway.upstreams.mayRelay;
  const counted = mayAsk ? await askProvider(gateway, body, route, target, signal) : undefined;
  if (counted !== undefined) return counted;
  const { call } = decodeGeminiRequest(wholeRequest(body) ?? body, { asked, isStreamed: false });
  return { totalTokens: countTokens(call) };
}

async function askProvider(
  gateway: Gateway,
  body: unknown,
  { isRedacted }: Route,
  target: Target,
  signal: AbortSignal,
): Promise<{ totalTokens: number } | undefined> {
  const asked = isRedacted ? await inTurns(redactSaid(body, new Redaction()), signal) : body;
  const whole = wholeRequest(asked);
  const sent = isJsonObject(whole)
    ? { generateContentRequest: { ...whole, model: modelResource(target.model) } }
    : asked;
  const path = modelPath(target.model, 'countTokens');
  try {
    const upstream = await httpUpstream(target.provider.type);
    const question = { path, headers: {}, body: JSON.stringify(sent) };
    const answer = await gateway.upstreams.http.send(upstream, target, question, signal);
    const parsed = answerSchema.safeParse(parseAnswer(await readText(answer)));
    return parsed.success ? { totalTokens: parsed.data.totalTokens } : undefined;
  } catch (error) {
    if (error instanceof ProviderRefusal && MISSING.has(error.status)) return undefined;
    throw error;
  }
}

/** All that would be sent, where more than the contents is to be counted. */
function wholeRequest(body: unknown): unknown {
  return isJsonObject(body) ? (body['generateContentRequest'] ?? body['generate_content_request']) : undefined;
}
