import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { repairToolCalls } from '../../repair/repair-tool-calls.ts';
import { indexToolDefinitions } from '../../tools/index-tool-definitions.ts';
import { MAX_NAME } from '../../metering/request-info.ts';
import type { DecodedRequest } from '../dialect.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { type AugmentContext, decodeAugmentRequest } from './decode-request.ts';
import { augmentDialect } from './dialect.ts';
import { isTypedRequest } from './is-typed-request.ts';
import { quietRoutes } from './quiet-routes.ts';
import { taskRoutes } from './tasks/routes.ts';

/** So many repairs of one call are in the log. */
const MAX_TOLD = 20;

/** Every endpoint of the Augment protocol. */
export function augmentRoutes(door: FastifyInstance, gateway: Gateway): void {
  const modelCall = { config: { access: 'models', body: 'upload', isModelCall: true } } as const;
  door.setErrorHandler(replyInDialect(augmentDialect, gateway));
  door.post('/chat-stream', modelCall, (request, reply) => chat(gateway, request, reply, true));
  door.post('/chat', modelCall, (request, reply) => chat(gateway, request, reply, false));
  taskRoutes(door, gateway);
  quietRoutes(door, gateway);
}

function chat(gateway: Gateway, request: FastifyRequest, reply: FastifyReply, isStreamed: boolean): Promise<void> {
  const isTyped = (request.query as { frames?: string }).frames === 'typed' || isTypedRequest(request.body);
  const { systemPromptBase } = gateway.config().augment;
  return answerAugment(
    gateway,
    decodeAugmentRequest(request.body, { systemPromptBase, isTyped, isStreamed }),
    request,
    reply,
  );
}

/** Answers with the repair of tool arguments, which this dialect's clients depend on. */
function answerAugment(
  gateway: Gateway,
  decoded: DecodedRequest<AugmentContext>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const tools = indexToolDefinitions(decoded.call.tools);
  return answerCall(gateway, augmentDialect, { ...decoded, decode: () => decoded }, request, reply, {
    step: (next, onRepair) =>
      repairToolCalls(next, tools, decoded.context.contextText, (toolName, repairs) => {
        onRepair();
        gateway.metrics.repairs.inc();
        const told = repairs.slice(0, MAX_TOLD).map((repair) => repair.slice(0, MAX_NAME));
        request.log.info(
          { requestId: request.id, tool: toolName.slice(0, MAX_NAME), repairs: told },
          'tool arguments were repaired',
        );
      }),
  });
}
