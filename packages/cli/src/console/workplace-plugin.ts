import { WORKPLACE_ROUTES } from '@dragoman/protocol/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type CallName = keyof typeof WORKPLACE_ROUTES;

/** What answers, by the name of the call. */
export type WorkplaceHandlers = Readonly<
  Record<CallName, (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>>
>;

/** The routes of the workplace. What answers is loaded with the first request. */
export async function workplacePlugin(
  door: FastifyInstance,
  { handlers }: { handlers: () => Promise<WorkplaceHandlers> },
): Promise<void> {
  for (const name of Object.keys(WORKPLACE_ROUTES) as CallName[]) {
    const { method, path, access } = WORKPLACE_ROUTES[name];
    door.route({
      method,
      url: path,
      config: { access },
      handler: async (request, reply) => (await handlers())[name](request, reply),
    });
  }
}
