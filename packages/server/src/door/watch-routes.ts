import type { FastifyInstance } from 'fastify';
import { isChallenge } from '../lock/lock-proof.ts';
import type { Metrics } from '../watch/metrics.ts';
import { callerOf } from './route-config.ts';

export interface ServerFacts {
  version: string;
  startedAt: number;
  /** Proves to whoever can read its lock that this is the server that the lock names. */
  prove?: (challenge: string) => string | undefined;
  /** How many records of model calls wait for the store to be back. */
  usageWaiting?: () => number;
  /** How many targets of model calls are passed over after failures. */
  restingTargets?: () => number;
  /** Throws when the store does not answer. */
  pingStore: () => Promise<void>;
  /** Whether nothing can be written for want of room. */
  isDiskFull?: () => Promise<boolean>;
}

/** Whether the server is well, for people, load balancers and Prometheus. */
export function watchRoutes(door: FastifyInstance, facts: ServerFacts, metrics: Metrics): void {
  for (const url of ['/health', '/gateway/health']) {
    door.get(url, { config: { access: 'public' } }, async (request, reply) => {
      const { challenge } = request.query as { challenge?: unknown };
      const isStoreWell = await facts.pingStore().then(
        () => true,
        () => false,
      );
      const isDiskFull = isStoreWell && (await facts.isDiskFull?.()) === true;
      const usageWaiting = facts.usageWaiting?.() ?? 0;
      const restingTargets = facts.restingTargets?.() ?? 0;
      return reply.code(isStoreWell && !isDiskFull ? 200 : 503).send({
        status: !isStoreWell ? 'the database is not responding' : isDiskFull ? 'the disk is full' : 'ok',
        version: facts.version,
        startedAt: facts.startedAt,
        uptimeSeconds: Math.floor((Date.now() - facts.startedAt) / 1000),
        ...(isDiskFull && { isDiskFull }),
        ...(usageWaiting > 0 && { usageWaiting }),
        ...(restingTargets > 0 && { restingTargets }),
        ...(isChallenge(challenge) && { proof: facts.prove?.(challenge) }),
      });
    });
  }

  door.get('/metrics', { config: { access: 'viewer' } }, async (request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.read(callerOf(request).role === 'admin'));
  });
}
