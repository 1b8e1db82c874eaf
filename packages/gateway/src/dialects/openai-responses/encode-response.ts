import type { ModelAnswer } from '@dragoman/protocol';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import type { ResponsesContext } from './decode-request.ts';
import { toOutput } from './output-item.ts';
import { nowInSeconds, toEnding, toResponseObject } from './response-object.ts';

/** A whole answer as a response. */
export function encodeResponsesResponse(answer: ModelAnswer, request: DecodedRequest<ResponsesContext>): unknown {
  const id = answerId('resp_', answer.id);
  const state = {
    id,
    model: answer.modelId ?? request.asked,
    createdAt: nowInSeconds(),
    output: toOutput(answer.content, id, request.context.tools),
    usage: answer.usage,
  };
  return toResponseObject({ ...state, ...toEnding(answer.finishReason) }, request);
}
