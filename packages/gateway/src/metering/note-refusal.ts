import { type DragomanErrorCode, newId } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { redactText } from '@dragoman/protocol/secrets';
import type { CallWatch } from './call-watch.ts';
import { MAX_NAME } from './request-info.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a model call found where it goes. What became of it then is in the usage log. */
    isRouted: boolean;
  }
}

/**
 * Notes a model call that was turned away before it had a target: a limit, a body that cannot be read, an unknown
 * model. Of the body only the name of the model is told, where it came that far.
 */
export function noteRefusal(
  calls: CallWatch,
  {
    dialect,
    code,
    request,
    reply,
  }: { dialect: string; code: DragomanErrorCode; request: FastifyRequest; reply: FastifyReply },
): void {
  const isModelCall = request.routeOptions.config?.isModelCall === true;
  if (!isModelCall || request.isRouted || request.caller === null) return;
  const { userName, tokenName } = callerOf(request);
  const body = (request.body ?? {}) as { model?: unknown; stream?: unknown };
  calls.refused({
    id: newId('call'),
    at: Date.now(),
    userName,
    tokenName,
    dialect,
    route: typeof body.model === 'string' ? redactText(body.model.slice(0, MAX_NAME)).text : '',
    target: '',
    isStreamed: body.stream === true,
    totalMs: Math.round(reply.elapsedTime),
    finishReason: 'error',
    errorCode: code,
    attempts: 0,
    redactions: 0,
    repairs: 0,
  });
}
