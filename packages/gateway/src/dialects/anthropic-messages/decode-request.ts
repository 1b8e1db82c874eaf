import { DragomanError, type ModelCall, type ModelMessage, type ReasoningEffort } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { OfferedTools } from '../../tools/offered-tools.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import { cacheOptions } from '../cache-options.ts';
import type { DecodedRequest } from '../dialect.ts';
import { askedTier } from '../openai-settings.ts';
import { unreadFields } from '../unread-fields.ts';
import { ANTHROPIC_FIELDS, OUTPUT_FIELDS } from './fields.ts';
import { decodeAssistantTurn, decodeUserTurn } from './decode-turn.ts';
import { readTools, toToolChoice } from './read-tools.ts';
import { ThreadRefusal } from './thread-refusal.ts';
import { type AnthropicRequest, anthropicRequestSchema } from './wire.ts';

export interface AnthropicContext {
  tools: ToolNames;
}

/** A Messages request as a model call. */
export function decodeAnthropicRequest(body: unknown): DecodedRequest<AnthropicContext> {
  // Before all else: what goes on from a thread has no other messages, and may have none at all.
  if (isJsonObject(body) && (body['thread'] ?? null) !== null) throw new ThreadRefusal();
  const request = parseBody(anthropicRequestSchema, body);
  const offered = new OfferedTools();
  for (const field of unreadFields(body, ANTHROPIC_FIELDS)) offered.leaveOut(field);
  for (const field of unreadFields(request.output_config, OUTPUT_FIELDS)) offered.leaveOut(`output_config.${field}`);
  return {
    asked: request.model ?? '',
    call: toCall(request, offered),
    ...optional('leftOut', offered.leftOutPlaces),
    isStreamed: request.stream === true,
    context: { tools: offered.names },
  };
}

function toCall(request: AnthropicRequest, offered: OfferedTools): ModelCall {
  readTools(request, offered);
  const choice = request.tool_choice;
  const disablesParallel = choice?.disable_parallel_tool_use;
  return {
    prompt: toPrompt(request, offered),
    tools: offered.definitions,
    ...optional('toolChoice', toToolChoice(request, offered)),
    ...optional('allowsParallelTools', typeof disablesParallel === 'boolean' ? !disablesParallel : undefined),
    ...optional('maxOutputTokens', request.max_tokens),
    ...optional('temperature', request.temperature),
    ...optional('topP', request.top_p),
    ...optional('topK', request.top_k),
    ...optional('stopSequences', request.stop_sequences),
    ...optional('reasoningEffort', toReasoningEffort(request)),
    ...optional('responseFormat', toResponseFormat(request)),
    ...optional('serviceTier', request.service_tier === 'standard_only' ? 'default' : askedTier(request.service_tier)),
    ...optional('endUser', request.metadata?.user_id || undefined),
  };
}

function toResponseFormat({
  output_config: config,
  output_format: older,
}: AnthropicRequest): ModelCall['responseFormat'] {
  const format = config?.format ?? older;
  if (format === undefined || format === null) return undefined;
  const place = config?.format ? 'output_config.format' : 'output_format';
  if (format.type !== 'json_schema') throw new DragomanError('bad-request', `${place}.type: expected json_schema.`);
  return { type: 'json', ...optional('schema', format.schema) };
}

/** Each system block is a message of its own, because each may end what is cached. */
function toPrompt(request: AnthropicRequest, offered: OfferedTools): ModelMessage[] {
  const toolNames = new Map<string, string>();
  const prompt: ModelMessage[] = toSystem(request.system);
  for (const [index, { role, content }] of request.messages.entries()) {
    const place = `messages.${index}.content`;
    if (role === 'system') prompt.push(...toSystem(content));
    else if (role === 'user') prompt.push(...decodeUserTurn(content, place, toolNames));
    else prompt.push(decodeAssistantTurn(content, place, toolNames, offered));
  }
  const last = prompt.at(-1);
  if (last !== undefined) Object.assign(last, cacheOptions(request.cache_control));
  return prompt;
}

function toSystem(blocks: AnthropicRequest['system']): ModelMessage[] {
  return blocks
    .filter((block) => typeof block.text === 'string' && block.text !== '')
    .map((block) => ({ role: 'system', content: block.text!, ...cacheOptions(block.cache_control) }));
}

/** An effort is said outright, or by how many tokens may be thought. */
function toReasoningEffort({ thinking, output_config: config }: AnthropicRequest): ReasoningEffort | undefined {
  if (thinking?.type === 'disabled') return 'none';
  if (config?.effort !== undefined && config.effort !== null) return config.effort;
  // Without an effort, a model that measures its own thinking takes this one.
  if (thinking?.type === 'adaptive') return 'high';
  const budget = thinking?.budget_tokens;
  if (thinking?.type !== 'enabled' || budget === undefined || budget === null) return undefined;
  return budget <= 4096 ? 'low' : budget <= 12_288 ? 'medium' : 'high';
}
