import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { modelLimits } from '../routing/model-limits.ts';
import { listModelNames, resolveRoute } from '../routing/resolve-route.ts';

/**
 * `GET /models`: what a client can ask for, in a form that OpenAI's and Anthropic's clients both read. What the first
 * target of each takes is told under the names that routers of models use.
 */
export function modelListRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.get('/models', { config: { access: 'viewer' } }, () => {
    const config = gateway.config();
    const data = listModelNames(config).map((id) => ({
      id,
      object: 'model',
      type: 'model',
      display_name: id,
      created: 0,
      created_at: '1970-01-01T00:00:00Z',
      owned_by: 'dragoman',
      ...tellLimits(id, config),
    }));
    return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  });
}

function tellLimits(id: string, config: GatewayConfig): object {
  const [target] = resolveRoute(id, config).targets;
  if (target === undefined) return {};
  const { context, output } = modelLimits(target);
  return {
    context_length: context,
    max_output_tokens: output,
    input_modalities: target.provider.images ? ['text', 'image'] : ['text'],
  };
}
