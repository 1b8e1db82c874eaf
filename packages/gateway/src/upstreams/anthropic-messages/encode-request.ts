import type { ModelCall, ToolChoice, ToolDefinition } from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { encodedCall } from '../mark-prompt.ts';
import { endUserId } from '../settings/end-user-id.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { claudeModel } from './claude-model.ts';
import { encodeThinking, type ThinkingFields } from './encode-thinking.ts';
import { cacheControl, encodeSystem, encodeTurns } from './encode-turns.ts';
import { markClaudePrompt } from './mark-prompt.ts';
import type { AnthropicTextBlock } from './wire.ts';

/** Who asks may have so many characters. */
const LONGEST_USER = 256;

/**
 * A model call as a Messages request. The same prompt gives the same bytes, so that prompt caches hit.
 *
 * What has no place in this protocol is in `fates.ts`.
 */
export function encodeAnthropicMessagesRequest(call: ModelCall, target: Target, isStreamed: boolean): UpstreamRequest {
  const system = [...encodeSystem(call.prompt), ...encodeJsonWish(call)];
  const messages = encodeTurns(call.prompt);
  const thinking = encodeThinking(call, target.model, messages);
  const stops = call.stopSequences?.filter((stop) => stop.trim() !== '') ?? [];
  const body = {
    model: target.model,
    max_tokens: thinking.maxTokens,
    system: system.length === 0 ? undefined : system,
    messages,
    tools: call.tools.length === 0 ? undefined : call.tools.map((tool) => encodeTool(tool)),
    tool_choice: call.tools.length === 0 ? undefined : encodeToolChoice(call),
    thinking: thinking.thinking,
    output_config: encodeOutputConfig(call, thinking),
    ...encodeSampling(call, target, thinking),
    stop_sequences: stops.length === 0 ? undefined : stops,
    service_tier: call.serviceTier === 'default' ? 'standard_only' : undefined,
    metadata: call.endUser === undefined ? undefined : { user_id: endUserId(call.endUser, LONGEST_USER) },
    stream: isStreamed,
  };
  const marked = markClaudePrompt(body, encodedCall(call, target));
  return { path: '/messages', headers: { 'anthropic-version': '2023-06-01' }, body: JSON.stringify(marked) };
}

/** The service wants the word `object` even where a tool takes nothing. */
function encodeTool(tool: ToolDefinition): unknown {
  return {
    name: tool.name,
    description: tool.description === '' ? undefined : tool.description,
    input_schema: 'type' in tool.inputSchema ? tool.inputSchema : { type: 'object', ...tool.inputSchema },
    ...(tool.strict === true ? { strict: true } : {}),
    ...cacheControl(tool.providerOptions),
  };
}

function encodeToolChoice({ toolChoice, allowsParallelTools }: ModelCall): unknown {
  const isOneByOne = allowsParallelTools === false;
  if (toolChoice === undefined && !isOneByOne) return undefined;
  if (toolChoice?.type === 'none') return { type: 'none' };
  return {
    ...nameToolChoice(toolChoice ?? { type: 'auto' }),
    ...(isOneByOne ? { disable_parallel_tool_use: true } : {}),
  };
}

function nameToolChoice(choice: ToolChoice): { type: string; name?: string } {
  if (choice.type === 'tool') return { type: 'tool', name: choice.toolName };
  return { type: choice.type === 'required' ? 'any' : choice.type };
}

/** JSON without a schema has no field here, so it is asked for. */
function encodeJsonWish({ responseFormat }: ModelCall): AnthropicTextBlock[] {
  if (responseFormat === undefined || responseFormat.schema !== undefined) return [];
  return [{ type: 'text', text: 'Answer with one JSON object and nothing else: no explanation, no code fence.' }];
}

function encodeOutputConfig({ responseFormat }: ModelCall, { effort }: ThinkingFields): unknown {
  const schema = responseFormat?.schema;
  if (effort === undefined && schema === undefined) return undefined;
  return { effort, format: schema === undefined ? undefined : { type: 'json_schema', schema } };
}

/** A model that thinks takes none of these; others take a temperature up to 1, and Claude no top_p beside it. */
function encodeSampling(
  call: ModelCall,
  target: Target,
  { thinking }: ThinkingFields,
): Record<string, number | undefined> {
  const model = claudeModel(target.model);
  const isThinking = thinking !== undefined && thinking.type !== 'disabled';
  if (isThinking || !model.takesSampling) return {};
  const leavesTopP = call.temperature !== undefined && !model.takesTemperatureWithTopP;
  return {
    temperature: call.temperature === undefined ? undefined : Math.min(1, call.temperature),
    top_p: leavesTopP ? undefined : call.topP,
    top_k: call.topK,
  };
}
