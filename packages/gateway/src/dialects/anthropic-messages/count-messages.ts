import type { IncomingHttpHeaders } from 'node:http';
import { DragomanError } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { z } from 'zod';
import { passedHeaders } from '../../answer/relay-call.ts';
import type { Gateway } from '../../gateway.ts';
import { type ModelAsker, resolveAllowed } from '../../policy/allowed-models.ts';
import { redactBody } from '../../policy/redact-body.ts';
import type { Route } from '../../routing/resolve-route.ts';
import type { Target } from '../../routing/target.ts';
import type { JsonObject } from '../../tools/json-object.ts';
import { withoutSignedIds } from '../../tools/signed-call-id.ts';
import { besideChat } from '../../upstreams/beside-chat.ts';
import { askForCount } from '../ask-for-count.ts';
import { countJson, countTokens } from './count-tokens.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { withoutProviderTools } from './read-tools.ts';

const requestSchema = z.looseObject({
  model: z.string().nullish(),
  messages: z.array(z.unknown()).min(1),
});

/**
 * How many tokens a request has before it is sent: by the provider's own count where it speaks this protocol and has this
 * call, else about as many as `countTokens` finds. What only its own provider understands is counted by its texts.
 */
export async function countMessages(
  gateway: Gateway,
  { body, headers }: { body: unknown; headers: IncomingHttpHeaders },
  asker: ModelAsker,
  signal: AbortSignal,
): Promise<number> {
  const asked = parseBody(requestSchema, body);
  const route = findRoute(gateway, asked.model ?? '', asker);
  const target = route?.targets[0];
  const mayAsk = target?.provider.type === 'anthropic-messages' && gateway.upstreams.mayRelay;
  const counted = mayAsk ? await askProvider(gateway, asked, headers, route!, target, signal) : undefined;
  return counted ?? estimate(asked);
}

/** An estimate asks nobody, so that a name need not lead anywhere. */
function findRoute(gateway: Gateway, asked: string, asker: ModelAsker): Route | undefined {
  try {
    return resolveAllowed(asked, gateway.config(), asker);
  } catch (error) {
    if (asker.models === undefined && error instanceof DragomanError) return undefined;
    throw error;
  }
}

async function askProvider(
  gateway: Gateway,
  asked: JsonObject,
  headers: IncomingHttpHeaders,
  { isRedacted }: Route,
  counter: Target,
  signal: AbortSignal,
): Promise<number | undefined> {
  const body = isRedacted ? (await redactBody(asked, ['system', 'messages'], signal)).body : asked;
  const { target, path } = besideChat(counter, '/messages/count_tokens');
  const question = {
    path,
    headers: { 'anthropic-version': '2023-06-01', ...passedHeaders(headers) },
    body: withoutSignedIds(JSON.stringify({ ...body, model: target.model })),
  };
  return askForCount(gateway, target, question, 'input_tokens', signal);
}

function estimate(asked: JsonObject): number {
  try {
    return countTokens(decodeAnthropicRequest(withoutProviderTools(asked)).call);
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return countJson([asked['system'], asked['messages'], asked['tools']]);
  }
}
