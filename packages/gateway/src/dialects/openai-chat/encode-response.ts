import type { ModelAnswer, PromptToolCall } from '@dragoman/protocol';
import { readCustomInput } from '../../tools/custom-input-stream.ts';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import { chatCall } from './chat-call.ts';
import type { ChatContext } from './decode-request.ts';
import { toChatFinish, toChatUsage } from './encode-stream.ts';

/** A whole answer as a Chat Completion. */
export function encodeOpenAiChatResponse(
  answer: ModelAnswer,
  { asked, context }: DecodedRequest<ChatContext>,
): unknown {
  const join = (type: 'text' | 'reasoning') =>
    answer.content.map((part) => (part.type === type ? part.text : '')).join('');
  const calls = answer.content.filter((part) => part.type === 'tool-call');
  const reasoning = join('reasoning');
  const details = answer.content.find((part) => part.type === 'reasoning')?.providerOptions?.['openaiChat']?.[
    'reasoningDetails'
  ];
  return {
    id: answerId('chatcmpl-', answer.id),
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
          ...toCalls(calls, context),
        },
        logprobs: null,
        finish_reason: toChatFinish(answer.finishReason, context),
      },
    ],
    usage: toChatUsage(answer.usage),
  };
}

function toCalls(calls: readonly PromptToolCall[], { tools, usesFunctions }: ChatContext): object {
  const [first] = calls;
  if (first === undefined) return {};
  // There is room for one; the model asks again for the others.
  if (usesFunctions) return { function_call: { name: tools.toolOf(first.toolName).name, arguments: first.input } };
  return {
    tool_calls: calls.map(({ toolCallId, toolName, input, providerOptions }) => {
      const tool = tools.toolOf(toolName);
      return chatCall(toolCallId, tool, tool.form === 'custom' ? readCustomInput(input) : input, providerOptions);
    }),
  };
}
