import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../watch/metrics.ts';

export interface ServerFacts {
  version: string;
  startedAt: number;
  /** Throws when the store does not answer. */
  pingStore: () => Promise<void>;
}

/** Whether the server is well, for people, load balancers and Prometheus. */
export function watchRoutes(door: FastifyInstance, facts: ServerFacts, metrics: Metrics): void {
  for (const url of ['/health', '/gateway/health']) {
    door.get(url, { config: { access: 'public' } }, async (_request, reply) => {
      const isStoreWell = await facts.pingStore().then(
        () => true,
        () => false,
      );
      return reply.code(isStoreWell ? 200 : 503).send({
        status: isStoreWell ? 'ok' : 'the database does not answer',
        version: facts.version,
        startedAt: facts.startedAt,
        uptimeSeconds: Math.floor((Date.now() - facts.startedAt) / 1000),
      });
    });
  }

  door.get('/metrics', { config: { access: 'viewer' } }, async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.read());
  });
}
