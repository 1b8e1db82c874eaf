import { DragomanError } from '@dragoman/protocol';
import { clientSignal, parseBody } from '@dragoman/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { embeddingUsage } from '../../embed/embedding-usage.ts';
import { MOST_INPUTS, passEmbedding } from '../../embed/pass-embedding.ts';
import type { Gateway } from '../../gateway.ts';
import { optional } from '../../optional.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { parseAnswer } from '../../upstreams/parse-answer.ts';
import { askedModel } from './asked-model.ts';
import { requiredModel } from './required-model.ts';

const embedSchema = z.looseObject({
  input: z.union([z.string(), z.array(z.string()).max(MOST_INPUTS)]),
  dimensions: z.number().int().positive().nullish(),
});
const oldEmbedSchema = z.looseObject({ prompt: z.string() });

/** `POST /api/embed`, and `POST /api/embeddings` for older clients, which ask for one vector. */
export function ollamaEmbedRoutes(door: FastifyInstance, gateway: Gateway): void {
  const modelCall = { config: { access: 'models', body: 'upload', isModelCall: true } } as const;
  door.post('/api/embed', modelCall, async (request, reply) => {
    const startedAt = performance.now();
    const model = requiredModel(request.body);
    const { input, dimensions } = parseBody(embedSchema, request.body);
    const asked = { model, input: [input].flat(), ...optional('dimensions', dimensions) };
    if (asked.input.length === 0) return { model, embeddings: [] };
    const { vectors, tokens } = await askVectors(gateway, asked, request, reply);
    return {
      model,
      embeddings: vectors,
      total_duration: Math.round((performance.now() - startedAt) * 1_000_000),
      load_duration: 0,
      prompt_eval_count: tokens,
    };
  });
  door.post('/api/embeddings', modelCall, async (request, reply) => {
    const model = requiredModel(request.body);
    const { prompt } = parseBody(oldEmbedSchema, request.body);
    if (prompt === '') return { embedding: [] };
    const { vectors } = await askVectors(gateway, { model, input: [prompt] }, request, reply);
    return { embedding: vectors[0] };
  });
}

async function askVectors(
  gateway: Gateway,
  asked: { model: string; input: string[]; dimensions?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ vectors: number[][]; tokens: number }> {
  const model = askedModel(asked.model, gateway.config());
  const answer = await passEmbedding(gateway, { ...asked, model }, request, clientSignal(reply));
  const vectors = readVectorList(parseAnswer(answer), asked.input.length);
  if (vectors === undefined)
    throw new DragomanError('unavailable', 'The provider did not return a vector for each text.');
  return { vectors, tokens: embeddingUsage(answer)?.inputTokens ?? 0 };
}

/** The vectors in the order of their texts, as the answer numbers them. */
function readVectorList(answer: unknown, count: number): number[][] | undefined {
  const list = isJsonObject(answer) ? answer['data'] : undefined;
  if (!Array.isArray(list) || list.length !== count) return undefined;
  const vectors: number[][] = [];
  for (const [place, item] of list.entries()) {
    const { index = place, embedding } = isJsonObject(item) ? item : {};
    if (typeof index !== 'number' || !Array.isArray(embedding)) return undefined;
    vectors[index] = embedding as number[];
  }
  return Object.keys(vectors).length === count && vectors.length === count ? vectors : undefined;
}
