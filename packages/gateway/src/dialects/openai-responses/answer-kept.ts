import type { ModelAnswer } from '@dragoman/protocol';
import { callerOf } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { redactBody } from '../../policy/redact-body.ts';
import { resolveRoute } from '../../routing/resolve-route.ts';
import { targetName } from '../../routing/target.ts';
import type { JsonObject } from '../../tools/json-object.ts';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import { readRequest } from '../read-request.ts';
import { decodeResponsesRequest, type ResponsesContext } from './decode-request.ts';
import { openAiResponsesDialect } from './dialect.ts';
import { encodeResponsesResponse } from './encode-response.ts';
import { goOn, toItems } from './go-on.ts';
import { keepAnswer } from './keep-answer.ts';

/** Answers a request for a response. Where that is allowed it may go on from one that is kept, and is kept unless the client objects. */
export async function answerKept(gateway: Gateway, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { kept } = gateway;
  if (!kept.isOn)
    return answerCall(
      gateway,
      openAiResponsesDialect,
      readRequest(request.body, decodeResponsesRequest),
      request,
      reply,
    );
  const caller = callerOf(request);
  const { userId } = caller;
  const asked = request.body as JsonObject;
  request.body = await goOn(gateway, asked, caller);
  const client = readRequest(request.body, decodeResponsesRequest);
  if (asked['store'] === false) return answerCall(gateway, openAiResponsesDialect, client, request, reply);

  const id = answerId('resp_', undefined);
  const previousId = typeof asked['previous_response_id'] === 'string' ? asked['previous_response_id'] : null;
  let decoded: DecodedRequest<ResponsesContext> | undefined;
  const decode = () => {
    decoded = client.decode();
    decoded.context.kept = { previousId };
    if (decoded.leftOut !== undefined) decoded.leftOut = decoded.leftOut.filter((field) => field !== 'store');
    return decoded;
  };
  const make = async (answer: ModelAnswer) => {
    const response = encodeResponsesResponse(answer, decoded!) as JsonObject;
    const { isRedacted } = resolveRoute(client.asked, gateway.config());
    const said = { input: toItems(asked['input']), output: response['output'] };
    const { input, output } = isRedacted ? (await redactBody(said, ['input', 'output'])).body : said;
    return { id, userId, previousId, target: '', input: input as JsonObject[], response: { ...response, output } };
  };
  return answerCall(gateway, openAiResponsesDialect, { ...client, decode }, request, reply, {
    step: (next) => keepAnswer(next, id, (answer) => kept.keep(id, () => make(answer))),
    onRelayed: (target, relayedId) =>
      kept.keep(relayedId, async () => ({
        id: relayedId,
        userId,
        previousId: null,
        target: targetName(target),
        input: [],
        response: undefined,
      })),
  });
}
