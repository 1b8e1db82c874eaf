import { callerOf } from '@dragoman/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { resolveAllowed } from '../../policy/allowed-models.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { askedModel } from './asked-model.ts';
import { type OllamaCallKind, readOllamaRequest } from './decode-request.ts';
import { ollamaDialect } from './dialect.ts';
import { ollamaEmbedRoutes } from './embed-routes.ts';
import { ollamaModelRoutes } from './model-routes.ts';

/** Every call of Ollama's protocol, under `/api`. */
export function ollamaRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(ollamaDialect, gateway));
  for (const kind of ['chat', 'generate'] as const)
    door.post(
      `/api/${kind}`,
      { config: { access: 'models', body: 'upload', isModelCall: true } },
      async (request, reply) => answer(kind, gateway, request, reply),
    );
  ollamaEmbedRoutes(door, gateway);
  ollamaModelRoutes(door, gateway);
}

async function answer(
  kind: OllamaCallKind,
  gateway: Gateway,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const read = readOllamaRequest(kind, request.body);
  const config = gateway.config();
  const client = { ...read, asked: askedModel(read.asked, config) };
  const { targets } = resolveAllowed(client.asked, config, callerOf(request));
  const isForOllama = targets.some(({ provider }) => provider.type === 'ollama');
  if (!isForOllama && asksNothing(kind, request.body)) return loaded(kind, read.asked, request.body);
  return answerCall(gateway, ollamaDialect, client, request, reply);
}

/** Clients have a model loaded before they ask, or put away, by a call that says nothing. */
function asksNothing(kind: OllamaCallKind, body: unknown): boolean {
  const { messages, prompt, suffix, images } = isJsonObject(body) ? body : {};
  const said = kind === 'chat' ? [messages] : [prompt, suffix, images];
  return said.every((value) => value === undefined || value === null || (value as string | unknown[]).length === 0);
}

function loaded(kind: OllamaCallKind, model: string, body: unknown) {
  const { keep_alive: stay } = body as { keep_alive?: unknown };
  return {
    model,
    created_at: new Date().toISOString(),
    ...(kind === 'chat' ? { message: { role: 'assistant', content: '' } } : { response: '' }),
    done: true,
    done_reason: stay === 0 || stay === '0' ? 'unload' : 'load',
  };
}
