import type { ModelAnswer } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import type { ResponsesContext } from './decode-request.ts';
import { toOutput } from './output-item.ts';
import { newResponseId, nowInSeconds, toEnding, toResponseObject } from './response-object.ts';

/** A whole answer as a response. */
export function encodeResponsesResponse(answer: ModelAnswer, request: DecodedRequest<ResponsesContext>): unknown {
  const id = answer.id ?? newResponseId();
  const state = {
    id,
    model: answer.modelId ?? request.asked,
    createdAt: nowInSeconds(),
    output: toOutput(answer.content, id, request.context.tools),
    usage: answer.usage,
  };
  return toResponseObject({ ...state, ...toEnding(answer.finishReason) }, request);
}
