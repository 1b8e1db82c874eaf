import { type DragomanError, type FinishReason, type ModelSink, type ModelUsage, newId } from '@dragoman/protocol';
import { signCallId } from '../../tools/signed-call-id.ts';
import { optional } from '../../optional.ts';
import type { DecodedRequest } from '../dialect.ts';
import type { ChatContext } from './decode-request.ts';
import { encodeOpenAiError } from './encode-error.ts';
import { toExtraContent } from './extra-content.ts';

export const CHAT_FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'stop',
  other: 'stop',
};

/**
 * Model events as Chat Completions events.
 *
 * The head and tail of an event are the same for every piece of an answer, so they are made once: a piece of text costs
 * one JSON string.
 */
export function encodeOpenAiChatStream(
  write: (text: string) => void,
  { context, asked }: DecodedRequest<ChatContext>,
): ModelSink {
  const toolIndex = new Map<string, number>();
  const created = Math.floor(Date.now() / 1000);
  let head = makeHead(newId('call'), asked, created);
  let hasRole = false;
  const writeDelta = (delta: string, finish = 'null') => {
    const role = hasRole ? '' : '"role":"assistant",';
    hasRole = true;
    write(
      `${head}"choices":[{"index":0,"delta":{${delta === '' ? role.slice(0, -1) : role + delta}},"finish_reason":${finish}}]}\n\n`,
    );
  };

  return {
    push(event) {
      switch (event.type) {
        case 'response-metadata':
          head = makeHead(event.id ?? newId('call'), event.modelId ?? asked, created);
          return;
        case 'text-delta':
          return writeDelta(`"content":${JSON.stringify(event.delta)}`);
        case 'reasoning-delta':
          return writeDelta(`"reasoning_content":${JSON.stringify(event.delta)}`);
        case 'reasoning-end': {
          const details = event.providerMetadata?.['openaiChat']?.['reasoningDetails'];
          if (details !== undefined) writeDelta(`"reasoning_details":${JSON.stringify(details)}`);
          return;
        }
        case 'tool-input-start': {
          toolIndex.set(event.id, toolIndex.size);
          const call = {
            index: toolIndex.size - 1,
            id: signCallId(event.id, event.providerMetadata),
            type: 'function',
            function: { name: event.toolName, arguments: '' },
            ...toExtraContent(event.providerMetadata),
          };
          return writeDelta(`"tool_calls":[${JSON.stringify(call)}]`);
        }
        case 'tool-input-delta':
          return writeDelta(
            `"tool_calls":[{"index":${toolIndex.get(event.id)},"function":{"arguments":${JSON.stringify(event.delta)}}}]`,
          );
        case 'finish':
          writeDelta('', JSON.stringify(CHAT_FINISH_REASONS[event.finishReason]));
          if (context.wantsUsage) write(`${head}"choices":[],"usage":${JSON.stringify(toChatUsage(event.usage))}}\n\n`);
          return write('data: [DONE]\n\n');
        case 'error':
          return write(encodeOpenAiChatBreak(event.error));
        default: // Starts and ends have no event of their own in this dialect.
      }
    },
  };
}

export function encodeOpenAiChatBreak(error: DragomanError): string {
  return `data: ${JSON.stringify(encodeOpenAiError(error))}\n\ndata: [DONE]\n\n`;
}

export function toChatUsage(usage: ModelUsage | undefined): unknown {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage?.cacheReadTokens ?? 0,
      ...optional('cache_write_tokens', usage?.cacheWriteTokens),
    },
    completion_tokens_details: { reasoning_tokens: usage?.reasoningTokens ?? 0 },
  };
}

function makeHead(id: string, model: string, created: number): string {
  return `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)},`;
}
