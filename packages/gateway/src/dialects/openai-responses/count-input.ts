import { parseBody } from '@dragoman/server';
import { z } from 'zod';
import type { Gateway } from '../../gateway.ts';
import { type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { redactBody } from '../../policy/redact-body.ts';
import type { Route } from '../../routing/resolve-route.ts';
import type { Target } from '../../routing/target.ts';
import type { JsonObject } from '../../tools/json-object.ts';
import { besideChat } from '../../upstreams/beside-chat.ts';
import { askForCount } from '../ask-for-count.ts';
import { countTokens } from '../anthropic-messages/count-tokens.ts';
import { decodeResponsesRequest } from './decode-request.ts';

const requestSchema = z.looseObject({ model: z.string().nullish() });

/**
 * How many tokens a request has before it is sent: by the provider's own count where it has this call, else about as many
 * as `countTokens` finds.
 */
export async function countInput(
  gateway: Gateway,
  body: unknown,
  asker: ModelAsker,
  signal: AbortSignal,
): Promise<number> {
  const asked = parseBody(requestSchema, body);
  const route = resolveAllowed(asked.model ?? '', gateway.config(), asker);
  const [target] = route.targets;
  const mayAsk = target?.provider.type === 'openai-responses' && gateway.upstreams.mayRelay;
  const counted = mayAsk ? await askProvider(gateway, asked, route, target, signal) : undefined;
  return counted ?? countTokens(decodeResponsesRequest(body).call);
}

async function askProvider(
  gateway: Gateway,
  asked: JsonObject,
  { isRedacted }: Route,
  counter: Target,
  signal: AbortSignal,
): Promise<number | undefined> {
  const body = isRedacted ? (await redactBody(asked, ['instructions', 'input'], signal)).body : asked;
  const { target, path } = besideChat(counter, '/responses/input_tokens');
  const sent = { path, headers: {}, body: JSON.stringify({ ...body, model: target.model }) };
  return askForCount(gateway, target, sent, 'input_tokens', signal);
}
