import { DragomanError } from '@dragoman/protocol';
import { callerOf, clientSignal, shownPath } from '@dragoman/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { countGeminiTokens } from './count-tokens.ts';
import { decodeGeminiRequest } from './decode-request.ts';
import { geminiDialect, geminiListDialect } from './dialect.ts';
import { batchEmbedContents, embedContent } from './embed-content.ts';
import { listGeminiModels, type ModelsQuery, tellGeminiModel } from './list-models.ts';
import { type ModelPath, parseModelPath } from './model-path.ts';

/** Versions that no other protocol has. Google's client asks for the first, in its Vertex mode for the second. */
export const GEMINI_VERSIONS = ['/v1beta', '/v1beta1', '/v1alpha'] as const;

/** Addresses that this protocol has to itself beside OpenAI's and Anthropic's. */
const SHARED_COLLECTIONS = ['models', 'tunedModels', 'publishers', 'projects'] as const;

type Behind = { Params: { '*': string }; Querystring: ModelsQuery & { alt?: string } };

const CALLED = { access: 'models', body: 'upload', isModelCall: true, takesKeyInQuery: true } as const;
const READ = { access: 'any-token', takesKeyInQuery: true } as const;

/** `POST /models/NAME:METHOD`, `GET /models` and `GET /models/NAME`, under a version of Google's own. */
export function geminiRoutes(door: FastifyInstance, gateway: Gateway): void {
  const pathOf = (request: FastifyRequest) => (request as FastifyRequest<Behind>).params['*'] ?? '';
  door.setErrorHandler(replyInGemini(gateway, pathOf));
  door.post<Behind>('/*', { config: CALLED }, (request, reply) => answer(gateway, pathOf(request), request, reply));
  door.get<Behind>('/models', { config: READ }, (request) =>
    listGeminiModels(request.query, gateway.config(), callerOf(request)),
  );
  door.get<Behind>('/*', { config: READ }, (request) => {
    const path = parseModelPath(pathOf(request));
    if (path === undefined || path.method !== '') throw notHere(pathOf(request));
    return tellGeminiModel(path.asked, gateway.config(), callerOf(request));
  });
}

/** `POST /models/NAME:METHOD` under a version that is OpenAI's and Anthropic's too. */
export function sharedGeminiRoutes(door: FastifyInstance, gateway: Gateway): void {
  const pathOf = (request: FastifyRequest) =>
    `${/\/(\w+)\/\*$/.exec(request.routeOptions.url ?? '')?.[1]}/${(request as FastifyRequest<Behind>).params['*']}`;
  door.setErrorHandler(replyInGemini(gateway, pathOf));
  for (const collection of SHARED_COLLECTIONS)
    door.post<Behind>(`/${collection}/*`, { config: CALLED }, (request, reply) =>
      answer(gateway, pathOf(request), request, reply),
    );
}

async function answer(
  gateway: Gateway,
  path: string,
  request: FastifyRequest<Behind>,
  reply: FastifyReply,
): Promise<unknown> {
  const named = parseModelPath(path);
  if (named === undefined) throw notHere(path);
  const { asked, method } = named;
  const signal = clientSignal(reply);
  const call = { gateway, asked, signal, caller: callerOf(request), request };
  switch (method) {
    case 'generateContent':
    case 'streamGenerateContent': {
      const isStreamed = method === 'streamGenerateContent';
      const dialect = isStreamed && request.query.alt !== 'sse' ? geminiListDialect : geminiDialect;
      const decode = () => decodeGeminiRequest(request.body, { asked, isStreamed });
      return answerCall(gateway, dialect, { asked, isStreamed, decode }, request, reply);
    }
    case 'countTokens':
      return countGeminiTokens(call, request.body);
    case 'embedContent':
      return embedContent(call, request.body);
    case 'batchEmbedContents':
      return batchEmbedContents(call, request.body);
    default:
      throw notHere(path);
  }
}

/** The model stands in the address, so that is where one that was turned away is known by. */
function replyInGemini(gateway: Gateway, pathOf: (request: FastifyRequest) => string) {
  return replyInDialect(geminiDialect, gateway, (request) => {
    const { asked, method }: ModelPath = parseModelPath(pathOf(request)) ?? { asked: '', method: '' };
    return { model: asked, isStreamed: method === 'streamGenerateContent' };
  });
}

function notHere(path: string): DragomanError {
  return new DragomanError(
    'not-found',
    `There is nothing at ${shownPath(path)}. Use models/NAME:METHOD with the method generateContent, streamGenerateContent, countTokens, embedContent or batchEmbedContents.`,
  );
}
