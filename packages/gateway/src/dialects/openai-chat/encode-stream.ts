import type { DragomanError, FinishReason, ModelEvent, ModelSink, ModelUsage } from '@dragoman/protocol';
import { optional } from '../../optional.ts';
import { CustomInputStream } from '../../tools/custom-input-stream.ts';
import { answerId } from '../answer-id.ts';
import type { DecodedRequest } from '../dialect.ts';
import { chatCall } from './chat-call.ts';
import type { ChatContext } from './decode-request.ts';
import { encodeOpenAiStreamError } from './encode-error.ts';

const CHAT_FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'stop',
  other: 'stop',
};

/** A call that is being written. */
interface OpenCall {
  /** What stands before and after each piece of its arguments. */
  head: string;
  tail: string;
  /** Reads the text for a custom tool. */
  custom: CustomInputStream | undefined;
}

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
  const calls = new Map<string, OpenCall>();
  const created = Math.floor(Date.now() / 1000);
  let head = makeHead(answerId('chatcmpl-', undefined), asked, created);
  let hasRole = false;
  const writeDelta = (delta: string, finish = 'null') => {
    const role = hasRole ? '' : '"role":"assistant",';
    hasRole = true;
    write(
      `${head}"choices":[{"index":0,"delta":{${delta === '' ? role.slice(0, -1) : role + delta}},"finish_reason":${finish}}]}\n\n`,
    );
  };

  const startCall = ({ id, toolName, providerMetadata }: Extract<ModelEvent, { type: 'tool-input-start' }>) => {
    const tool = context.tools.toolOf(toolName);
    const index = calls.size;
    if (context.usesFunctions) {
      if (index > 0) return; // There is room for one; the model asks again for the others.
      calls.set(id, { head: '"function_call":{"arguments":', tail: '}', custom: undefined });
      return writeDelta(`"function_call":${JSON.stringify({ name: tool.name, arguments: '' })}`);
    }
    const isCustom = tool.form === 'custom';
    calls.set(id, {
      head: `"tool_calls":[{"index":${index},"${isCustom ? 'custom":{"input' : 'function":{"arguments'}":`,
      tail: '}}]',
      custom: isCustom ? new CustomInputStream() : undefined,
    });
    writeDelta(`"tool_calls":[${JSON.stringify({ index, ...chatCall(id, tool, '', providerMetadata) })}]`);
  };
  const addToCall = ({ head, tail, custom }: OpenCall, written: string) => {
    if (written !== '' || custom === undefined) writeDelta(head + JSON.stringify(written) + tail);
  };

  return {
    push(event) {
      switch (event.type) {
        case 'response-metadata':
          head = makeHead(answerId('chatcmpl-', event.id), event.modelId ?? asked, created);
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
        case 'tool-input-start':
          return startCall(event);
        case 'tool-input-delta': {
          const call = calls.get(event.id);
          if (call !== undefined)
            addToCall(call, call.custom === undefined ? event.delta : call.custom.push(event.delta));
          return;
        }
        case 'tool-input-end': {
          const call = calls.get(event.id);
          if (call?.custom !== undefined) addToCall(call, call.custom.end());
          return;
        }
        case 'finish':
          writeDelta('', JSON.stringify(toChatFinish(event.finishReason, context)));
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
  return `data: ${JSON.stringify(encodeOpenAiStreamError(error))}\n\ndata: [DONE]\n\n`;
}

export function toChatFinish(reason: FinishReason, { usesFunctions }: ChatContext): string {
  return usesFunctions && reason === 'tool-calls' ? 'function_call' : CHAT_FINISH_REASONS[reason];
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
