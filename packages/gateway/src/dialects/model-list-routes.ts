import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { listModelNames } from '../routing/resolve-route.ts';

/** `GET /models`: what a client can ask for, in a form that OpenAI's and Anthropic's clients both read. */
export function modelListRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.get('/models', { config: { access: 'viewer' } }, () => {
    const data = listModelNames(gateway.config()).map((id) => ({
      id,
      object: 'model',
      type: 'model',
      display_name: id,
      created: 0,
      created_at: '1970-01-01T00:00:00Z',
      owned_by: 'dragoman',
    }));
    return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  });
}
