import type { ModelCall, ToolChoice, ToolDefinition } from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { encodedCall } from '../mark-prompt.ts';
import { endUserId } from '../settings/end-user-id.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { encodeInput } from './encode-input.ts';
import { markResponsesPrompt } from './mark-prompt.ts';
import { openAiModel } from './openai-model.ts';

/** The service refuses less, and clients that only try a key ask for one token. */
const MIN_OUTPUT_TOKENS = 16;
/** Who asks may have so many characters. */
const LONGEST_USER = 64;

/**
 * A model call as a Responses request. The same prompt gives the same bytes, so that prompt caches hit.
 *
 * Nothing is stored at the provider, so reasoning travels with the conversation, encrypted. What has no place in this protocol
 * is in `fates.ts`.
 */
export function encodeOpenAiResponsesRequest(call: ModelCall, target: Target, isStreamed: boolean): UpstreamRequest {
  const { instructions, input } = encodeInput(call.prompt);
  const hasTools = call.tools.length > 0;
  const model = openAiModel(target.model, call.reasoningEffort);
  const body = {
    model: target.model,
    instructions,
    input,
    tools: hasTools ? call.tools.map((tool) => encodeTool(tool)) : undefined,
    tool_choice: hasTools && call.toolChoice !== undefined ? encodeToolChoice(call.toolChoice) : undefined,
    parallel_tool_calls: hasTools ? call.allowsParallelTools : undefined,
    max_output_tokens:
      call.maxOutputTokens === undefined ? undefined : Math.max(MIN_OUTPUT_TOKENS, call.maxOutputTokens),
    reasoning: model.canReason ? encodeReasoning(call) : undefined,
    text: encodeText(call),
    temperature: model.takesSampling ? call.temperature : undefined,
    top_p: model.takesSampling ? call.topP : undefined,
    service_tier: call.serviceTier,
    safety_identifier: endUserId(call.endUser, LONGEST_USER),
    store: false,
    include: model.canReason ? ['reasoning.encrypted_content'] : undefined,
    stream: isStreamed,
  };
  const marked = markResponsesPrompt(body, encodedCall(call, target));
  return { path: '/responses', headers: {}, body: JSON.stringify(marked) };
}

/** Unless told otherwise, the service holds a tool's schema to rules that most schemas do not follow. */
function encodeTool({ name, description, inputSchema, strict = false }: ToolDefinition): unknown {
  return { type: 'function', name, description, parameters: inputSchema, strict };
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return choice.type === 'tool' ? { type: 'function', name: choice.toolName } : choice.type;
}

function encodeReasoning({ reasoningEffort }: ModelCall): unknown {
  if (reasoningEffort === undefined) return undefined;
  return { effort: reasoningEffort, summary: reasoningEffort === 'none' ? undefined : 'auto' };
}

function encodeText({ responseFormat, verbosity }: ModelCall): unknown {
  if (responseFormat === undefined && verbosity === undefined) return undefined;
  return { format: responseFormat === undefined ? undefined : encodeFormat(responseFormat), verbosity };
}

function encodeFormat(format: NonNullable<ModelCall['responseFormat']>): unknown {
  if (format.schema === undefined) return { type: 'json_object' };
  return {
    type: 'json_schema',
    name: format.name ?? 'answer',
    description: format.description,
    schema: format.schema,
    ...(format.strict === true ? { strict: true } : {}),
  };
}
