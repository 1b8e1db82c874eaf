import { DragomanError, type ModelCall } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import { chooseTools } from '../../tools/choose-tools.ts';
import { OfferedTools } from '../../tools/offered-tools.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import type { DecodedRequest } from '../dialect.ts';
import { askedTier, unknownFormat } from '../openai-settings.ts';
import { unreadFields } from '../unread-fields.ts';
import { RESPONSES_FIELDS } from './fields.ts';
import { decodeInput } from './decode-input.ts';
import { readTools } from './read-tools.ts';
import { type ResponsesRequest, responsesRequestSchema } from './wire.ts';

/** The settings that an answer repeats, and the tools that it may call. */
export interface ResponsesContext {
  tools: ToolNames;
  toolChoice: unknown;
  reasoning: unknown;
  text: unknown;
  metadata: unknown;
  /** That the answer is kept, and which one it goes on from. */
  kept?: { previousId: string | null };
}

/** A Responses request as a model call. */
export function decodeResponsesRequest(body: unknown): DecodedRequest<ResponsesContext> {
  const request = parseBody(responsesRequestSchema, body);
  refuseWhatIsKept(request);
  const { tool_choice: choice, reasoning, text, metadata } = request;
  const offered = new OfferedTools();
  for (const field of unreadFields(body, RESPONSES_FIELDS)) offered.leaveOut(field);
  readInclude(request.include ?? [], offered);
  const call = toCall(request, offered);
  const isPlainChoice = choice !== undefined && choice !== null && ['auto', 'none', 'required'].includes(choice.type);
  return {
    asked: request.model ?? '',
    call,
    ...optional('leftOut', offered.leftOutPlaces),
    ...(request.user && !request.safety_identifier ? { settingNames: { endUser: 'user' } } : {}),
    isStreamed: request.stream === true,
    context: {
      tools: offered.names,
      toolChoice: isPlainChoice ? choice.type : (choice ?? 'auto'),
      reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
      text: { ...text, format: text?.format ?? { type: 'text' } },
      metadata: metadata ?? {},
    },
  };
}

/** Thoughts are always given back encrypted. What tools of the provider found cannot be, as none of them runs. */
function readInclude(include: readonly string[], offered: OfferedTools): void {
  for (const wish of include) {
    if (wish === 'message.output_text.logprobs')
      throw new DragomanError('bad-request', `include: the provider does not return ${wish}; leave it out.`);
    if (wish !== 'reasoning.encrypted_content') offered.leaveOut(`include.${wish.slice(0, 60)}`);
  }
}

/** This server answers and forgets; what points at an earlier answer would point at nothing. */
function refuseWhatIsKept(request: ResponsesRequest): void {
  const kept = (['previous_response_id', 'conversation', 'prompt'] as const).find(
    (field) => request[field] !== undefined && request[field] !== null,
  );
  if (kept !== undefined) {
    throw new DragomanError(
      'bad-request',
      `${kept}: this server stores no responses, conversations or prompts; send the whole conversation as input.`,
    );
  }
  if (request.background === true) {
    throw new DragomanError(
      'bad-request',
      'background: this server stores no responses to fetch later; leave it out, or use a stream.',
    );
  }
}

function toCall(request: ResponsesRequest, offered: OfferedTools): ModelCall {
  const { instructions } = request;
  const hasInstructions = instructions !== undefined && instructions !== null && instructions !== '';
  readTools(request.tools ?? [], 'tools', offered);
  const messages = decodeInput(request.input, offered);
  const { tools, toolChoice } = chooseTools(request.tool_choice, offered);
  return {
    prompt: [...(hasInstructions ? [{ role: 'system' as const, content: instructions }] : []), ...messages],
    tools,
    ...optional('toolChoice', toolChoice),
    ...optional('allowsParallelTools', request.parallel_tool_calls),
    ...optional('maxOutputTokens', request.max_output_tokens),
    ...optional('temperature', request.temperature),
    ...optional('promptCacheKey', request.prompt_cache_key),
    ...optional('topP', request.top_p),
    ...optional('reasoningEffort', request.reasoning?.effort),
    ...optional('responseFormat', toResponseFormat(request.text?.format)),
    ...optional('verbosity', request.text?.verbosity),
    ...optional('serviceTier', askedTier(request.service_tier)),
    ...optional('endUser', request.safety_identifier || request.user || undefined),
  };
}

function toResponseFormat(
  format: NonNullable<ResponsesRequest['text']>['format'],
): ModelCall['responseFormat'] | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  if (format === undefined || format === null || format.type === 'text') return undefined;
  if (format.type !== 'json_schema') throw unknownFormat('text.format.type');
  return {
    type: 'json',
    ...optional('name', format.name),
    ...optional('description', format.description),
    ...optional('schema', format.schema),
    ...(format.strict === true ? { strict: true } : {}),
  };
}
