import {
  DragomanError,
  type ModelCall,
  type ModelMessage,
  type ReasoningEffort,
  type ToolChoice,
  type ToolDefinition,
} from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import { toolDefinitionParser } from '../../tools/parse-tool-definitions.ts';
import { cacheOptions } from '../cache-options.ts';
import type { DecodedRequest } from '../dialect.ts';
import { decodeAssistantTurn, decodeUserTurn } from './decode-turn.ts';
import { type AnthropicRequest, anthropicRequestSchema } from './wire.ts';

/** A Messages request as a model call. */
export function decodeAnthropicRequest(body: unknown): DecodedRequest<undefined> {
  const request = parseBody(anthropicRequestSchema, body);
  return { asked: request.model ?? '', call: toCall(request), isStreamed: request.stream === true, context: undefined };
}

function toCall(request: AnthropicRequest): ModelCall {
  const choice = request.tool_choice;
  const format = request.output_config?.format;
  const disablesParallel = choice?.disable_parallel_tool_use;
  return {
    prompt: toPrompt(request),
    tools: toTools(request),
    ...optional('toolChoice', toToolChoice(request)),
    ...optional('allowsParallelTools', typeof disablesParallel === 'boolean' ? !disablesParallel : undefined),
    ...optional('maxOutputTokens', request.max_tokens),
    ...optional('temperature', request.temperature),
    ...optional('topP', request.top_p),
    ...optional('topK', request.top_k),
    ...optional('stopSequences', request.stop_sequences),
    ...optional('reasoningEffort', toReasoningEffort(request)),
    ...(format?.type === 'json_schema'
      ? { responseFormat: { type: 'json' as const, ...optional('schema', format.schema) } }
      : {}),
  };
}

/** Each system block is a message of its own, because each may end what is cached. */
function toPrompt(request: AnthropicRequest): ModelMessage[] {
  const toolNames = new Map<string, string>();
  const prompt: ModelMessage[] = toSystem(request.system);
  for (const [index, { role, content }] of request.messages.entries()) {
    const place = `messages.${index}.content`;
    if (role === 'system') prompt.push(...toSystem(content));
    else if (role === 'user') prompt.push(...decodeUserTurn(content, place, toolNames));
    else prompt.push(decodeAssistantTurn(content, place, toolNames));
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

/** Tools that Anthropic's own models know by a dated type come without a schema; no other model could use them. */
function toTools({ tools }: AnthropicRequest): ToolDefinition[] {
  const parseToolDefinition = toolDefinitionParser();
  return (tools ?? []).filter(isOwnTool).flatMap((tool) => {
    const definition = parseToolDefinition(tool);
    return definition === undefined ? [] : [{ ...definition, ...cacheOptions(tool.cache_control) }];
  });
}

function isOwnTool({ type }: { type?: string | null | undefined }): boolean {
  return type === undefined || type === null || type === 'custom';
}

function toToolChoice({ tool_choice: choice, tools }: AnthropicRequest): ToolChoice | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'any':
      return { type: 'required' };
    case 'tool': {
      const toolName = choice.name;
      if (toolName === undefined || toolName === null)
        throw new DragomanError('bad-request', 'tool_choice.name: the tool to call is missing.');
      const chosen = tools?.find((tool) => tool.name === toolName);
      if (chosen !== undefined && !isOwnTool(chosen)) {
        throw new DragomanError(
          'bad-request',
          `tool_choice: a tool of type ${JSON.stringify(chosen.type)} cannot be called here; offer one with an input_schema.`,
        );
      }
      return { type: 'tool', toolName };
    }
  }
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
