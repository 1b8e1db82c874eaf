import type { ModelCall } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { z } from 'zod';
import type { JsonObject } from '../../tools/json-object.ts';
import { parseToolDefinitions } from '../../tools/parse-tool-definitions.ts';
import type { ClientRequest, DecodedRequest } from '../dialect.ts';
import { decodeOllamaMessages } from './decode-messages.ts';
import { decodeOllamaPrompt } from './decode-prompt.ts';
import { decodeOllamaSettings } from './decode-settings.ts';
import { sortFields } from './fields.ts';
import { requiredModel } from './required-model.ts';
import { ollamaChatSchema, ollamaGenerateSchema } from './wire.ts';

/** Which of the two calls it is: they differ in how they ask, and in how an answer is written. */
export type OllamaCallKind = 'chat' | 'generate';

export interface OllamaContext {
  kind: OllamaCallKind;
  showsThinking: boolean;
  /** When the request came, as `performance.now()` tells it. */
  startedAt: number;
}

const routedSchema = z.object({
  model: z.string().nullish(),
  stream: z.boolean().nullish(),
  think: z.unknown().optional(),
});

/** A request, read for its route. It is streamed unless it says otherwise. */
export function readOllamaRequest(kind: OllamaCallKind, body: unknown): ClientRequest<OllamaContext> {
  const startedAt = performance.now();
  const { stream } = parseBody(routedSchema, body);
  return {
    asked: requiredModel(body),
    isStreamed: stream !== false,
    relayPath: `/api/${kind}`,
    decode: () => decodeOllamaRequest(kind, body, startedAt),
  };
}

/** A request as a model call. */
export function decodeOllamaRequest(
  kind: OllamaCallKind,
  body: unknown,
  startedAt = performance.now(),
): DecodedRequest<OllamaContext> {
  const { model, stream, think } = parseBody(routedSchema, body);
  const call = CALLS[kind](body);
  const leftOut = sortFields(kind, body as JsonObject);
  return {
    asked: model ?? '',
    call,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    isStreamed: stream !== false,
    context: { kind, showsThinking: think !== false, startedAt },
  };
}

const CALLS: Record<OllamaCallKind, (body: unknown) => ModelCall> = {
  chat(body) {
    const request = parseBody(ollamaChatSchema, body);
    return {
      prompt: decodeOllamaMessages(request.messages ?? []),
      tools: parseToolDefinitions(request.tools ?? []),
      ...decodeOllamaSettings(request),
    };
  },
  generate(body) {
    const request = parseBody(ollamaGenerateSchema, body);
    return { prompt: decodeOllamaPrompt(request), tools: [], ...decodeOllamaSettings(request) };
  },
};
