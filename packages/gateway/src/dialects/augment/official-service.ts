import type { FastifyReply, FastifyRequest } from 'fastify';
import { DragomanError } from '@dragoman/protocol';
import type { GatewayConfig } from '../../config/gateway-config.ts';

const LIMIT_MS = 120_000;
const MODELS_LIMIT_MS = 5_000;

/** Whether context endpoints go to the official service. */
export function isHybrid(config: GatewayConfig): boolean {
  return config.augment.baseUrl !== undefined && config.augment.token !== undefined;
}

/** Passes a request on to the official service; its status and body come back unchanged. */
export async function passToOfficial(
  config: GatewayConfig,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { statusCode, headers, body } = await ask(
      config,
      path,
      JSON.stringify(request.body ?? {}),
      request.id,
      LIMIT_MS,
      signal,
    );
    const answer = Buffer.from(await body.arrayBuffer());
    await reply
      .code(statusCode)
      .type(typeof headers['content-type'] === 'string' ? headers['content-type'] : 'application/json')
      .send(answer);
  } catch (error) {
    throw new DragomanError('unavailable', 'The official service cannot be reached.', {
      cause: error,
      isRetryable: true,
    });
  }
}

/** The official list of models, or nothing when it cannot be had in time. */
export async function readOfficialModels(config: GatewayConfig, requestId: string): Promise<unknown> {
  if (!isHybrid(config)) return undefined;
  try {
    const { statusCode, body } = await ask(config, '/get-models', '{}', requestId, MODELS_LIMIT_MS);
    const answer: unknown = await body.json();
    return statusCode === 200 ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function ask(
  { augment }: GatewayConfig,
  path: string,
  body: string,
  requestId: string,
  limitMs: number,
  signal?: AbortSignal,
) {
  const { request: send } = await import('undici');
  // The clock starts when the library is loaded: on a busy machine that alone takes seconds.
  const limit = AbortSignal.timeout(limitMs);
  return send(`${augment.baseUrl!.replace(/\/+$/, '')}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${augment.token!.reveal()}`,
      'x-request-id': requestId,
    },
    body,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
}
