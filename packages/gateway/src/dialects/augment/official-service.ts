import type { FastifyReply, FastifyRequest } from 'fastify';
import { DragomanError } from '@dragoman/protocol';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { parseJson } from '../../tools/json-object.ts';
import { PIECE_COST } from '../../upstreams/answer-limits.ts';

const LIMIT_MS = 120_000;
const MODELS_LIMIT_MS = 5_000;
/** Its answers are read by models and have some hundred kilobytes at most. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

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
    const answer = await readAnswer(body);
    await reply
      .code(statusCode)
      .type(typeof headers['content-type'] === 'string' ? headers['content-type'] : 'application/json')
      .send(answer);
  } catch (error) {
    if (error instanceof DragomanError) throw error;
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
    const answer = await readAnswer(body);
    return statusCode === 200 ? parseJson(answer.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** A body that is not read to its end is given up with its connection. */
async function readAnswer(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let cost = 0;
  for await (const piece of body) {
    pieces.push(piece);
    cost += piece.length + PIECE_COST;
    if (cost > MOST_ANSWER_BYTES)
      throw new DragomanError(
        'unavailable',
        `The official service's answer is larger than ${MOST_ANSWER_BYTES} bytes.`,
      );
  }
  return Buffer.concat(pieces);
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
