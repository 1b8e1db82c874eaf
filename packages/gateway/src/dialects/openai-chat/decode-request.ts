import {
  DragomanError,
  type PromptFile,
  type ModelCall,
  type ModelMessage,
  type PromptText,
  type PromptToolCall,
  type ToolChoice,
} from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { parseToolDefinitions } from '../../tools/parse-tool-definitions.ts';
import { optional } from '../../optional.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import type { JsonObject } from '../../tools/json-object.ts';
import { cacheOptions } from '../cache-options.ts';
import type { DecodedRequest } from '../dialect.ts';
import { parseFileUrl } from '../parse-file-url.ts';
import { fromExtraContent } from './extra-content.ts';
import { type ChatRequest, type ChatRequestMessage, chatRequestSchema } from './wire.ts';

export interface ChatContext {
  model: string;
  wantsUsage: boolean;
}

/** A Chat Completions request as a model call. */
export function decodeOpenAiChatRequest(body: unknown): DecodedRequest<ChatContext> {
  const request = parseBody(chatRequestSchema, body);
  const isStreamed = request.stream === true;
  return {
    asked: request.model ?? '',
    call: toCall(request),
    isStreamed,
    context: { model: request.model ?? '', wantsUsage: request.stream_options?.include_usage === true },
  };
}

function toCall(request: ChatRequest): ModelCall {
  const stop = request.stop;
  return {
    prompt: toPrompt(request.messages),
    tools: parseToolDefinitions(request.tools ?? []),
    ...optional('toolChoice', toToolChoice(request.tool_choice)),
    ...optional('allowsParallelTools', request.parallel_tool_calls),
    ...optional('maxOutputTokens', request.max_completion_tokens ?? request.max_tokens),
    ...optional('temperature', request.temperature),
    ...optional('topP', request.top_p),
    ...optional('presencePenalty', request.presence_penalty),
    ...optional('frequencyPenalty', request.frequency_penalty),
    ...optional('stopSequences', typeof stop === 'string' ? [stop] : stop),
    ...optional('seed', request.seed),
    ...optional('promptCacheKey', request.prompt_cache_key),
    ...optional('reasoningEffort', request.reasoning_effort),
    ...optional('responseFormat', toResponseFormat(request.response_format)),
  };
}

/** Results of one round of tools stand together; each knows the name of the call it answers. */
function toPrompt(messages: readonly ChatRequestMessage[]): ModelMessage[] {
  const prompt: ModelMessage[] = [];
  const toolNames = new Map<string, string>();
  for (const message of messages) {
    switch (message.role) {
      case 'system':
      case 'developer':
        prompt.push({ role: 'system', content: textOf(message), ...cacheOptions(cacheControlOf(message)) });
        break;
      case 'user':
        prompt.push({ role: 'user', content: contentOf(message), ...cacheOptions(message.cache_control) });
        break;
      case 'assistant':
        prompt.push(toAssistant(message, toolNames));
        break;
      case 'tool':
      case 'function': {
        const { toolCallId } = openCallId(message.tool_call_id ?? message.name ?? '');
        const result = {
          type: 'tool-result' as const,
          toolCallId,
          toolName: toolNames.get(toolCallId) ?? message.name ?? '',
          content: contentOf(message),
          isError: false,
          ...cacheOptions(cacheControlOf(message)),
        };
        const last = prompt.at(-1);
        if (last?.role === 'tool') last.content.push(result);
        else prompt.push({ role: 'tool', content: [result] });
      }
    }
  }
  return prompt;
}

function toAssistant(message: ChatRequestMessage, toolNames: Map<string, string>): ModelMessage {
  const calls = (message.tool_calls ?? []).map((call): PromptToolCall => {
    const { toolCallId, providerOptions } = openCallId(call.id ?? '');
    toolNames.set(toolCallId, call.function.name);
    return {
      type: 'tool-call',
      toolCallId,
      toolName: call.function.name,
      input: call.function.arguments || '{}',
      ...optional('providerOptions', fromExtraContent(call.extra_content) ?? providerOptions),
    };
  });
  const details = message.reasoning_details;
  const reasoning =
    details === undefined || details === null
      ? []
      : [{ type: 'reasoning' as const, text: '', providerOptions: { openaiChat: { reasoningDetails: details } } }];
  const text = textOf(message);
  return {
    role: 'assistant',
    content: [...reasoning, ...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
  };
}

/** A message's own mark, or that of its last part. */
function cacheControlOf({ cache_control: own, content }: ChatRequestMessage): typeof own {
  if (own !== undefined && own !== null) return own;
  const last = Array.isArray(content) ? content.at(-1) : undefined;
  return last !== undefined && 'cache_control' in last ? (last.cache_control as typeof own) : undefined;
}

function textOf({ content }: ChatRequestMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .map((part) =>
      'text' in part && typeof part.text === 'string' ? part.text : 'refusal' in part ? String(part.refusal) : '',
    )
    .join('');
}

function contentOf({ content }: ChatRequestMessage): (PromptText | PromptFile)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []).map(toPart);
}

function toPart(part: { type: string }): PromptText | PromptFile {
  if (part.type === 'text') {
    const { text, cache_control: cacheControl } = part as { text?: string; cache_control?: JsonObject | null };
    return { type: 'text', text: text ?? '', ...cacheOptions(cacheControl) };
  }
  if (part.type === 'image_url') {
    const image = (part as { image_url?: string | { url?: string } }).image_url;
    return parseFileUrl((typeof image === 'string' ? image : image?.url) ?? '', 'image/*');
  }
  if (part.type === 'file') {
    const { filename, file_data: data } =
      (part as { file?: { filename?: string | null; file_data?: string | null } }).file ?? {};
    if (typeof data === 'string')
      return { ...parseFileUrl(data, 'application/pdf'), ...optional('filename', filename) };
  }
  throw new DragomanError(
    'bad-request',
    `messages: a content part of type ${JSON.stringify(part.type.slice(0, 40))} is not understood here.`,
  );
}

function toToolChoice(choice: ChatRequest['tool_choice']): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.function.name };
}

function toResponseFormat(format: ChatRequest['response_format']): ModelCall['responseFormat'] | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  if (format?.type !== 'json_schema') return undefined;
  const { name, description, schema } = format.json_schema ?? {};
  return {
    type: 'json',
    ...optional('name', name),
    ...optional('description', description),
    ...optional('schema', schema),
  };
}
