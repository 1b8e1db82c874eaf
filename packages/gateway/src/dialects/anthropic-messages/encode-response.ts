import type { ModelAnswer } from '@dragoman/protocol';
import { isJsonObject, parseJson } from '../../tools/json-object.ts';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import type { AnthropicContext } from './decode-request.ts';
import { toAnthropicUsage, toStop } from './encode-stream.ts';
import type { AnthropicAnswerBlock } from './wire.ts';

/** A whole answer as a message. */
export function encodeAnthropicResponse(answer: ModelAnswer, request: DecodedRequest<AnthropicContext>): unknown {
  return {
    id: answerId('msg_', answer.id),
    type: 'message',
    role: 'assistant',
    model: answer.modelId ?? request.asked,
    content: answer.content.flatMap((part) => toBlock(part, request.context.tools)),
    ...toStop(answer, request),
    usage: toAnthropicUsage(answer.usage),
  };
}

/** An empty text, and a thought of which nothing can be shown or given back, are left out. */
function toBlock(part: ModelAnswer['content'][number], tools: ToolNames): AnthropicAnswerBlock[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning': {
      const { signature, redactedData } = part.providerOptions?.['anthropic'] ?? {};
      if (part.text === '' && typeof redactedData === 'string')
        return [{ type: 'redacted_thinking', data: redactedData }];
      if (part.text === '' && typeof signature !== 'string') return [];
      return [{ type: 'thinking', thinking: part.text, signature: typeof signature === 'string' ? signature : '' }];
    }
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: signCallId(part.toolCallId, part.providerOptions),
          name: tools.toolOf(part.toolName).name,
          input: toInput(part.input),
        },
      ];
  }
}

/** Arguments that are no object, because the answer was cut or the model erred, are shown under a key that no tool has. */
function toInput(text: string): unknown {
  const input = text === '' ? {} : parseJson(text);
  return isJsonObject(input) ? input : { INVALID_JSON: text };
}
