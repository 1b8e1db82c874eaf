import { DragomanError, type ModelCall, type ToolChoice } from '@dragoman/protocol';
import { parseBody } from '@dragoman/server';
import { optional } from '../../optional.ts';
import { parseToolDefinitions } from '../../tools/parse-tool-definitions.ts';
import type { DecodedRequest } from '../dialect.ts';
import { decodeInput } from './decode-input.ts';
import { type ResponsesRequest, responsesRequestSchema } from './wire.ts';

/** The settings that an answer repeats. */
export interface ResponsesContext {
  toolChoice: unknown;
  reasoning: unknown;
  text: unknown;
  metadata: unknown;
}

/** A Responses request as a model call. */
export function decodeResponsesRequest(body: unknown): DecodedRequest<ResponsesContext> {
  const request = parseBody(responsesRequestSchema, body);
  refuseWhatIsKept(request);
  const { tool_choice: choice, reasoning, text, metadata } = request;
  const isPlainChoice = choice !== undefined && choice !== null && ['auto', 'none', 'required'].includes(choice.type);
  return {
    asked: request.model ?? '',
    call: toCall(request),
    isStreamed: request.stream === true,
    context: {
      toolChoice: isPlainChoice ? choice.type : (choice ?? 'auto'),
      reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
      text: { ...text, format: text?.format ?? { type: 'text' } },
      metadata: metadata ?? {},
    },
  };
}

/** This server answers and forgets; what points at an earlier answer would point at nothing. */
function refuseWhatIsKept(request: ResponsesRequest): void {
  const kept = (['previous_response_id', 'conversation', 'prompt'] as const).find(
    (field) => request[field] !== undefined && request[field] !== null,
  );
  if (kept !== undefined) {
    throw new DragomanError(
      'bad-request',
      `${kept}: this server keeps no responses, conversations or prompts; send the whole conversation as input.`,
    );
  }
  if (request.background === true) {
    throw new DragomanError(
      'bad-request',
      'background: this server keeps no responses to be fetched later; leave it out, or ask for a stream.',
    );
  }
}

function toCall(request: ResponsesRequest): ModelCall {
  const { instructions } = request;
  const hasInstructions = instructions !== undefined && instructions !== null && instructions !== '';
  return {
    prompt: [
      ...(hasInstructions ? [{ role: 'system' as const, content: instructions }] : []),
      ...decodeInput(request.input),
    ],
    tools: parseToolDefinitions(offeredTools(request)),
    ...optional('toolChoice', toToolChoice(request.tool_choice)),
    ...optional('allowsParallelTools', request.parallel_tool_calls),
    ...optional('maxOutputTokens', request.max_output_tokens),
    ...optional('temperature', request.temperature),
    ...optional('topP', request.top_p),
    ...optional('reasoningEffort', request.reasoning?.effort),
    ...optional('responseFormat', toResponseFormat(request.text?.format)),
  };
}

/**
 * Only functions: OpenAI's own tools run at OpenAI, and a model that merely may use them does without. A choice of
 * allowed tools leaves the others out.
 */
function offeredTools({ tools, tool_choice: choice }: ResponsesRequest): unknown[] {
  const functions = (tools ?? []).filter(
    (tool) => tool.type === 'function' || tool.type === undefined || tool.type === null,
  );
  if (choice?.type !== 'allowed_tools') return functions;
  const allowed = new Set(choice.tools?.map((tool) => tool.name));
  return functions.filter((tool) => allowed.has(tool.name));
}

function toToolChoice(choice: ResponsesRequest['tool_choice']): ToolChoice | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case 'auto':
    case 'none':
    case 'required':
      return { type: choice.type };
    case 'allowed_tools':
      return { type: choice.mode ?? 'auto' };
    case 'function': {
      const nested = choice['function'] as { name?: unknown } | null | undefined;
      const toolName = choice.name ?? nested?.name;
      if (typeof toolName !== 'string')
        throw new DragomanError('bad-request', 'tool_choice.name: the function to call is missing.');
      return { type: 'tool', toolName };
    }
    default:
      throw new DragomanError(
        'bad-request',
        `tool_choice: a tool of type ${JSON.stringify(choice!.type.slice(0, 40))} cannot be called here; offer a function.`,
      );
  }
}

function toResponseFormat(
  format: NonNullable<ResponsesRequest['text']>['format'],
): ModelCall['responseFormat'] | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  if (format?.type !== 'json_schema') return undefined;
  return {
    type: 'json',
    ...optional('name', format.name),
    ...optional('description', format.description),
    ...optional('schema', format.schema),
  };
}
