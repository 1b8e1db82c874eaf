import { DragomanError } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route asks a model, and so counts towards the caller's limits. */
    isModelCall?: boolean;
  }
}

/** Holds each client to its share of model calls. Runs before the body is read, so that what is refused costs nothing. */
export async function limitModelCalls(gateway: Gateway, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.routeOptions.config.isModelCall !== true) return;
  const { tokenId, userId } = callerOf(request);
  const client = tokenId ?? userId;
  const { limits } = gateway.config();
  const { isAllowed, remaining, retryAfterMs, resetMs } = gateway.window.take(client);
  reply.header('ratelimit-limit', limits.requests);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', Math.ceil(resetMs / 1000));
  if (!isAllowed) {
    gateway.metrics.limited.inc();
    throw new DragomanError(
      'rate-limited',
      `There were ${limits.requests} model calls in ${limits.windowSeconds} seconds, which is the limit.`,
      {
        isRetryable: true,
        retryAfterMs,
      },
    );
  }
  const leave = gateway.concurrency.enter(client);
  if (leave === undefined) {
    gateway.metrics.limited.inc();
    throw new DragomanError(
      'rate-limited',
      `There are ${limits.concurrency} model calls running, which is the limit.`,
      { isRetryable: true, retryAfterMs: 1_000 },
    );
  }
  reply.raw.once('close', leave);
}
