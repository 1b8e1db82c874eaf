import type { ModelAnswer } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import { toChatUsage } from '../openai-chat/encode-stream.ts';
import type { CompletionContext } from './decode-request.ts';
import { COMPLETION_FINISH_REASONS, newCompletionId } from './encode-stream.ts';

/** A whole answer as a legacy Completion. */
export function encodeCompletionResponse(
  answer: ModelAnswer,
  { asked, context }: DecodedRequest<CompletionContext>,
): unknown {
  const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return {
    id: newCompletionId(),
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: answer.modelId ?? asked,
    choices: [
      {
        text: context.echoed + text,
        index: 0,
        logprobs: null,
        finish_reason: COMPLETION_FINISH_REASONS[answer.finishReason],
      },
    ],
    usage: toChatUsage(answer.usage),
  };
}
