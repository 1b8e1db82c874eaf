import type { ModelAnswer } from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import { parseToolArguments } from '../../upstreams/tool-arguments.ts';
import type { DecodedRequest } from '../dialect.ts';
import type { OllamaContext } from './decode-request.ts';
import { encodeOllamaEnd } from './encode-end.ts';

/** A whole answer. */
export function encodeOllamaResponse(answer: ModelAnswer, request: DecodedRequest<OllamaContext>): unknown {
  const { kind, showsThinking } = request.context;
  const join = (type: 'text' | 'reasoning') =>
    answer.content.map((part) => (part.type === type ? part.text : '')).join('');
  const thinking = showsThinking ? join('reasoning') : '';
  const calls = answer.content.filter((part) => part.type === 'tool-call');
  const toolCalls = calls.map(({ toolCallId, toolName, input, providerOptions }, index) => ({
    id: signCallId(toolCallId, providerOptions),
    function: { index, name: toolName, arguments: parseToolArguments(input) },
  }));
  return encodeOllamaEnd(answer, request, undefined, {
    [kind === 'chat' ? 'content' : 'response']: join('text'),
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  });
}
