import { DragomanError } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Gateway } from '../gateway.ts';
import { listAllowed, type ModelAsker, resolveAllowed } from '../policy/allowed-models.ts';
import { modelLimits } from '../routing/model-limits.ts';

import { replyByClient } from './reply-by-client.ts';

/**
 * `GET /models` and `GET /models/{id}`: what a client can ask for, in a form that OpenAI's and Anthropic's clients both
 * read.
 */
export function modelRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyByClient('models', gateway));
  door.get('/models', { config: { access: 'any-token' } }, (request) => {
    const config = gateway.config();
    const caller = callerOf(request);
    const data = listAllowed(config, caller).map((id) => tellModel(id, config, caller));
    return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  });
  // Names hold slashes, which clients write out or not.
  door.get<{ Params: { '*': string } }>('/models/*', { config: { access: 'any-token' } }, (request) => {
    const id = request.params['*'];
    if (id === '') throw new DragomanError('not-found', 'The model name is missing after /models/.');
    return tellModel(id, gateway.config(), callerOf(request));
  });
}

const MODEL = {
  object: 'model',
  type: 'model',
  created: 0,
  created_at: '1970-01-01T00:00:00Z',
  owned_by: 'dragoman',
};

/** What the first target takes is told under the names that routers of models use. A name that leads nowhere is refused. */
function tellModel(id: string, config: GatewayConfig, asker: ModelAsker) {
  return {
    id,
    ...MODEL,
    display_name: id,
    ...tellLimits(id, config, asker),
  };
}

function tellLimits(id: string, config: GatewayConfig, asker: ModelAsker): object {
  const [target] = resolveAllowed(id, config, asker).targets;
  if (target === undefined) return {};
  const { context, output } = modelLimits(target);
  return {
    context_length: context,
    max_output_tokens: output,
    input_modalities: target.provider.images ? ['text', 'image'] : ['text'],
  };
}
