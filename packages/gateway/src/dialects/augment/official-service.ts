import type { FastifyReply, FastifyRequest } from 'fastify';
import { DragomanError } from '@dragoman/protocol';
import { inTurns } from '@dragoman/server';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import { Redaction } from '../../policy/redaction.ts';
import { parseJson } from '../../tools/json-object.ts';
import { PIECE_COST } from '../../upstreams/answer-limits.ts';
import { REDACTED } from '../../upstreams/provider-secrets.ts';

const LIMIT_MS = 120_000;
const MODELS_LIMIT_MS = 5_000;
/** Its answers are read by models and have some hundred kilobytes at most. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;

/** Whether context endpoints go to the official service. */
export function isHybrid(config: GatewayConfig): boolean {
  return config.augment.baseUrl !== undefined && config.augment.token !== undefined;
}

/** What somebody asks goes to a model there. The other calls name and carry files, which stay what they are. */
const QUESTIONS = '/agents/codebase-retrieval';

/** Passes a request on to the official service; its status and body come back, without the token if it repeats that. */
export async function passToOfficial(
  config: GatewayConfig,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { statusCode, body } = await ask(
      config,
      path,
      JSON.stringify(path === QUESTIONS ? await redacted(config, request.body, signal) : (request.body ?? {})),
      request.id,
      LIMIT_MS,
      signal,
    );
    const answer = (await readAnswer(body)).toString('utf8');
    await reply
      .code(statusCode)
      .type('application/json')
      .send(answer.replaceAll(config.augment.token!.reveal(), REDACTED));
  } catch (error) {
    if (error instanceof DragomanError) throw error;
    throw new DragomanError('unavailable', 'The official service cannot be reached.', {
      cause: error,
      isRetryable: true,
    });
  }
}

/** The names of files are long and look like keys. */
async function redacted(config: GatewayConfig, body: unknown, signal: AbortSignal): Promise<unknown> {
  const { blobs, ...said } = (body ?? {}) as Record<string, unknown>;
  const sent = config.redaction.enabled ? await inTurns(new Redaction().toolValue(said), signal) : said;
  return { ...(sent as object), ...(blobs !== undefined && { blobs }) };
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
