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
  const who = tokenId === undefined ? 'This user' : 'This token';
  const { limits } = gateway.config();
  const { isAllowed, remaining, retryAfterMs, resetMs } = gateway.window.take(client);
  reply.header('ratelimit-limit', limits.requests);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', Math.ceil(resetMs / 1000));
  if (!isAllowed) {
    gateway.metrics.limited.inc();
    throw new DragomanError(
      'rate-limited',
      `${who} can make ${countCalls(limits.requests)} ${perWindow(limits.windowSeconds)}.`,
      { isRetryable: true, retryAfterMs },
    );
  }
  const leave = gateway.concurrency.enter(client);
  if (leave === undefined) {
    gateway.metrics.limited.inc();
    throw new DragomanError('rate-limited', `${who} can have ${countCalls(limits.concurrency)} running at once.`, {
      isRetryable: true,
      retryAfterMs: 1_000,
    });
  }
  gateway.sharedLimits?.began(client);
  reply.raw.once('close', () => {
    leave();
    gateway.sharedLimits?.ended(client);
  });
}

function countCalls(count: number): string {
  return count === 1 ? '1 model request' : `${count} model requests`;
}

const WINDOWS: Readonly<Record<number, string>> = { 1: 'a second', 60: 'a minute', 3_600: 'an hour', 86_400: 'a day' };

function perWindow(seconds: number): string {
  return WINDOWS[seconds] ?? `in ${seconds} seconds`;
}
