import { type ModelAnswer, newId } from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import type { ChatContext } from './decode-request.ts';
import { CHAT_FINISH_REASONS, toChatUsage } from './encode-stream.ts';
import { toExtraContent } from './extra-content.ts';

/** A whole answer as a Chat Completion. */
export function encodeOpenAiChatResponse(answer: ModelAnswer, { asked }: DecodedRequest<ChatContext>): unknown {
  const join = (type: 'text' | 'reasoning') =>
    answer.content.map((part) => (part.type === type ? part.text : '')).join('');
  const calls = answer.content.filter((part) => part.type === 'tool-call');
  const reasoning = join('reasoning');
  const details = answer.content.find((part) => part.type === 'reasoning')?.providerOptions?.['openaiChat']?.[
    'reasoningDetails'
  ];
  return {
    id: answer.id ?? newId('call'),
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: answer.modelId ?? asked,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.content.some((part) => part.type === 'text') ? join('text') : null,
          refusal: null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(details === undefined ? {} : { reasoning_details: details }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call) => ({
                  id: signCallId(call.toolCallId, call.providerOptions),
                  type: 'function',
                  function: { name: call.toolName, arguments: call.input },
                  ...toExtraContent(call.providerOptions),
                })),
              }),
        },
        logprobs: null,
        finish_reason: CHAT_FINISH_REASONS[answer.finishReason],
      },
    ],
    usage: toChatUsage(answer.usage),
  };
}
