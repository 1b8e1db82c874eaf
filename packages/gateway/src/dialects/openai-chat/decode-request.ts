import type { ModelCall } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import { OfferedTools } from '../../tools/offered-tools.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import type { DecodedRequest } from '../dialect.ts';
import { askedTier, unknownFormat } from '../openai-settings.ts';
import { unreadFields } from '../unread-fields.ts';
import { CHAT_FIELDS } from './fields.ts';
import { decodeMessages } from './decode-messages.ts';
import type { SettingNames } from '../../upstreams/settings/call-settings.ts';
import { readTools, usesFunctions } from './read-tools.ts';
import { type ChatRequest, chatRequestSchema } from './wire.ts';

export interface ChatContext {
  tools: ToolNames;
  /** Whether the client wants to be called in the way that was there before tools, one function at a time. */
  usesFunctions: boolean;
  wantsUsage: boolean;
}

/** A Chat Completions request as a model call. */
export function decodeOpenAiChatRequest(body: unknown): DecodedRequest<ChatContext> {
  const request = parseBody(chatRequestSchema, body);
  const offered = new OfferedTools();
  for (const field of unreadFields(body, CHAT_FIELDS)) offered.leaveOut(field);
  return {
    asked: request.model ?? '',
    call: toCall(request, offered),
    ...optional('leftOut', offered.leftOutPlaces),
    settingNames: settingNamesOf(request),
    isStreamed: request.stream === true,
    context: {
      tools: offered.names,
      usesFunctions: usesFunctions(request),
      wantsUsage: request.stream_options?.include_usage === true,
    },
  };
}

function settingNamesOf(request: ChatRequest): SettingNames {
  return {
    ...(request.safety_identifier ? { endUser: 'safety_identifier' } : {}),
    ...(usesFunctions(request) ? { allowsParallelTools: '' } : {}),
  };
}

function toCall(request: ChatRequest, offered: OfferedTools): ModelCall {
  const stop = request.stop;
  const { tools, toolChoice } = readTools(request, offered);
  return {
    prompt: decodeMessages(request.messages, offered),
    tools,
    ...optional('toolChoice', toolChoice),
    ...optional('allowsParallelTools', usesFunctions(request) ? false : request.parallel_tool_calls),
    ...optional('maxOutputTokens', request.max_completion_tokens ?? request.max_tokens),
    ...optional('temperature', request.temperature),
    ...optional('topP', request.top_p),
    ...optional('topK', request.top_k),
    ...optional('minP', request.min_p),
    ...optional('presencePenalty', request.presence_penalty),
    ...optional('frequencyPenalty', request.frequency_penalty),
    ...optional('stopSequences', typeof stop === 'string' ? [stop] : stop),
    ...optional('seed', request.seed),
    ...optional('promptCacheKey', request.prompt_cache_key),
    ...optional('reasoningEffort', request.reasoning_effort),
    ...optional('responseFormat', toResponseFormat(request.response_format)),
    ...optional('verbosity', request.verbosity),
    ...optional('serviceTier', askedTier(request.service_tier)),
    ...optional('endUser', request.safety_identifier || request.user || undefined),
  };
}

function toResponseFormat(format: ChatRequest['response_format']): ModelCall['responseFormat'] | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  if (format === undefined || format === null || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') throw unknownFormat('response_format.type');
  const { name, description, schema, strict } = format.json_schema ?? {};
  return {
    type: 'json',
    ...optional('name', name),
    ...optional('description', description),
    ...optional('schema', schema),
    ...(strict === true ? { strict } : {}),
  };
}
