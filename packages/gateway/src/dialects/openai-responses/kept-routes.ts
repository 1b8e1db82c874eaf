import { DragomanError } from '@dragoman/protocol';
import { callerOf, clientSignal, parseBody } from '@dragoman/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Gateway } from '../../gateway.ts';
import { resolveRoute } from '../../routing/resolve-route.ts';
import { besideChat } from '../../upstreams/beside-chat.ts';
import { readText } from '../../upstreams/http-caller.ts';
import { hideProviderSecrets } from '../../upstreams/provider-secrets.ts';
import { httpUpstream } from '../../upstreams/upstream-registry.ts';
import { said } from './go-on.ts';
import type { KeptResponse } from './kept-responses.ts';

const pageSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: z.string().optional(),
});

/** `GET` and `DELETE /responses/{id}`, and `GET /responses/{id}/input_items`: what is kept, here or at the provider. */
export function keptRoutes(door: FastifyInstance, gateway: Gateway): void {
  const config = { config: { access: 'models' } } as const;
  door.get<ById>('/responses/:id', config, async (request, reply) => {
    if ((request.query as { stream?: unknown }).stream === 'true')
      throw new DragomanError('bad-request', 'stream: a stored response is only returned whole; leave it out.');
    const kept = await find(gateway, request);
    return kept.response ?? passOn(gateway, kept, '', 'GET', reply);
  });
  door.delete<ById>('/responses/:id', config, async (request, reply) => {
    const kept = await find(gateway, request);
    const passed = kept.response === undefined ? await passOn(gateway, kept, '', 'DELETE', reply) : undefined;
    await gateway.kept.remove(kept.id, kept.userId);
    return passed ?? { id: kept.id, object: 'response', deleted: true };
  });
  door.get<ById>('/responses/:id/input_items', config, async (request, reply) => {
    const kept = await find(gateway, request);
    const query = request.raw.url!.replace(/^[^?]*/, '');
    if (kept.response === undefined) return passOn(gateway, kept, `/input_items${query}`, 'GET', reply);
    return pageOf(await inputOf(gateway, kept), kept.id, parseBody(pageSchema, request.query));
  });
}

interface ById {
  Params: { id: string };
}

type Kept = NonNullable<Awaited<ReturnType<Gateway['kept']['find']>>>;

async function find({ kept }: Gateway, request: FastifyRequest<ById>): Promise<Kept> {
  if (!kept.isOn)
    throw new DragomanError(
      'not-found',
      'This server does not store responses. An admin can turn that on with the setting responses.keepDays.',
    );
  const { id } = request.params;
  const found = await kept.find(id, callerOf(request).userId);
  if (found !== undefined) return found;
  throw new DragomanError(
    'not-found',
    `There is no response ${JSON.stringify(id)}. It was not stored, was deleted, or has expired.`,
  );
}

/** What was sent, with all that it goes on from. */
async function inputOf({ kept }: Gateway, last: Kept): Promise<object[]> {
  const links: KeptResponse[] = await kept.chain(last);
  return [...said(links.slice(0, -1)), ...last.input];
}

function pageOf(items: object[], responseId: string, { limit, order, after }: z.output<typeof pageSchema>): object {
  const all = items.map((item, index) => ({ id: `item_${responseId}_${index}`, ...item }));
  if (order === 'desc') all.reverse();
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < all.length,
  };
}

/** Asks the provider that keeps the response. */
async function passOn(
  gateway: Gateway,
  kept: Kept,
  behind: string,
  method: 'GET' | 'DELETE',
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [keeper] = resolveRoute(kept.target, gateway.config()).targets;
  if (keeper?.provider.type !== 'openai-responses')
    throw new DragomanError('not-found', `${kept.target}, which stores this response, is no longer configured.`);
  const { target, path } = besideChat(keeper, `/responses/${encodeURIComponent(kept.id)}${behind}`);
  const answer = await gateway.upstreams.http.send(
    await httpUpstream(target.provider.type),
    target,
    { path, headers: {}, body: null, method },
    clientSignal(reply),
  );
  return reply.type('application/json').send(hideProviderSecrets(await readText(answer), target.provider));
}
