import { type DragomanError, newId } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { redactText } from '@dragoman/protocol/secrets';
import { ownRefusal } from './call-failure.ts';
import type { CallWatch } from './call-watch.ts';
import { MAX_NAME } from './request-info.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a model call found where it goes. What became of it then is in the usage log. */
    isRouted: boolean;
  }
}

/** A model, and how it should answer. */
export interface AskedFor {
  model: string;
  isStreamed: boolean;
}

/**
 * Notes a model call that was turned away before it had a target, and why: a limit, a body that cannot be read, an unknown
 * model. Of the body only the name of the model is told, where it came that far.
 */
export function noteRefusal(
  calls: CallWatch,
  {
    dialect,
    error,
    request,
    reply,
    asked = inBody(request),
  }: {
    dialect: string;
    error: DragomanError;
    request: FastifyRequest;
    reply: FastifyReply;
    /** What was asked for, where the body does not say it. */
    asked?: AskedFor | undefined;
  },
): void {
  const isModelCall = request.routeOptions.config?.isModelCall === true;
  if (!isModelCall || request.isRouted || request.caller === null) return;
  const { userName, tokenName } = callerOf(request);
  calls.refused({
    id: newId('call'),
    at: Date.now(),
    userName,
    tokenName,
    dialect,
    route: redactText(asked.model.slice(0, MAX_NAME)).text,
    target: '',
    isStreamed: asked.isStreamed,
    totalMs: Math.round(reply.elapsedTime),
    finishReason: 'error',
    errorCode: error.code,
    attempts: 0,
    redactions: 0,
    repairs: 0,
    failures: [ownRefusal(error, reply.elapsedTime)],
  });
}

function inBody(request: FastifyRequest): AskedFor {
  const { model, stream } = (request.body ?? {}) as { model?: unknown; stream?: unknown };
  return { model: typeof model === 'string' ? model : '', isStreamed: stream === true };
}
