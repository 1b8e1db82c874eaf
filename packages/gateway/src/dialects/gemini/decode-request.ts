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
import { parseToolDefinitions } from '../../tools/parse-tool-definitions.ts';
import type { DecodedRequest } from '../dialect.ts';
import { decodeContents } from './decode-contents.ts';
import { leftOutFields, refuseFields } from './fields.ts';
import { toJsonSchema } from './to-json-schema.ts';
import { type GeminiFunction, type GeminiRequest, geminiRequestSchema } from './wire.ts';

/** What the address says. */
export interface GeminiAsked {
  asked: string;
  isStreamed: boolean;
}

export interface GeminiContext {
  /** Thoughts are shown only to clients that ask for them. */
  wantsThoughts: boolean;
}

/** A request for content as a model call. */
export function decodeGeminiRequest(body: unknown, { asked, isStreamed }: GeminiAsked): DecodedRequest<GeminiContext> {
  const request = parseBody(geminiRequestSchema, body);
  if (request.contents.length === 0)
    throw new DragomanError('bad-request', 'contents: expected at least one turn of the conversation.');
  const leftOut = findLeftOut(request);
  return {
    asked,
    isStreamed,
    call: toCall(request),
    ...(leftOut.length === 0 ? {} : { leftOut }),
    context: { wantsThoughts: request.generationConfig?.thinkingConfig?.includeThoughts === true },
  };
}

function findLeftOut({ contents, generationConfig, toolConfig, ...request }: GeminiRequest): string[] {
  const inParts = contents.flatMap(({ parts }) =>
    parts.flatMap((part) => leftOutFields(part, 'part', 'contents.parts.')),
  );
  return [
    ...leftOutFields(request, 'request', ''),
    ...leftOutFields(generationConfig ?? {}, 'generationConfig', 'generationConfig.'),
    ...leftOutFields(toolConfig ?? {}, 'toolConfig', 'toolConfig.'),
    ...(modeOf(toolConfig) === 'VALIDATED' ? ['toolConfig.functionCallingConfig.mode'] : []),
    ...new Set(inParts),
  ];
}

function toCall(request: GeminiRequest): ModelCall {
  refuseFields(request, 'request', '');
  const config = request.generationConfig ?? {};
  refuseFields(config, 'generationConfig', 'generationConfig.');
  const offered = toTools(request);
  const { tools, toolChoice } = choose(offered, request);
  return {
    prompt: [...toSystem(request.systemInstruction), ...decodeContents(request.contents)],
    tools,
    ...optional('toolChoice', toolChoice),
    ...optional('maxOutputTokens', config.maxOutputTokens),
    ...optional('temperature', config.temperature),
    ...optional('topP', config.topP),
    ...optional('topK', config.topK),
    ...optional('presencePenalty', config.presencePenalty),
    ...optional('frequencyPenalty', config.frequencyPenalty),
    ...optional('stopSequences', config.stopSequences),
    ...optional('seed', config.seed),
    ...optional('reasoningEffort', toReasoningEffort(config.thinkingConfig)),
    ...optional('responseFormat', toResponseFormat(config)),
  };
}

function toSystem(instruction: GeminiRequest['systemInstruction']): ModelMessage[] {
  const texts = (instruction?.parts ?? []).flatMap(({ text }) => (text ? [text] : []));
  return texts.map((content) => ({ role: 'system', content }));
}

function toTools({ tools }: GeminiRequest): ToolDefinition[] {
  const functions = tools.flatMap((tool, index) => {
    refuseFields(tool, 'tool', `tools.${index}.`);
    return tool.functionDeclarations;
  });
  return parseToolDefinitions(functions.map(toPlainTool));
}

function toPlainTool({ name, description, parameters, parametersJsonSchema }: GeminiFunction): object {
  return {
    name,
    description,
    parameters: parametersJsonSchema ?? (parameters ? toJsonSchema(parameters) : undefined),
  };
}

function modeOf(toolConfig: GeminiRequest['toolConfig']): string {
  return (toolConfig?.functionCallingConfig?.mode ?? 'MODE_UNSPECIFIED').toUpperCase();
}

/** Which of the tools may be called, and whether one must be. Several that are allowed are the only ones offered. */
function choose(
  tools: ToolDefinition[],
  { toolConfig }: GeminiRequest,
): { tools: ToolDefinition[]; toolChoice?: ToolChoice } {
  const place = 'toolConfig.functionCallingConfig';
  const { allowedFunctionNames } = toolConfig?.functionCallingConfig ?? {};
  const mode = modeOf(toolConfig);
  const names = new Set(allowedFunctionNames ?? []);
  const unknown = [...names].find((name) => !tools.some((tool) => tool.name === name));
  if (unknown !== undefined)
    throw new DragomanError(
      'bad-request',
      `${place}.allowedFunctionNames: there is no function named ${JSON.stringify(unknown.slice(0, 100))}.`,
    );
  const allowed = names.size === 0 ? tools : tools.filter((tool) => names.has(tool.name));
  const [only, ...others] = names;
  switch (mode) {
    case 'MODE_UNSPECIFIED':
      return { tools: allowed };
    case 'AUTO':
    case 'VALIDATED': // Other providers hold a model to some schemas only, so that this is no more than a hint there.
      return { tools: allowed, toolChoice: { type: 'auto' } };
    case 'NONE':
      return { tools, toolChoice: { type: 'none' } };
    case 'ANY':
      if (only !== undefined && others.length === 0) return { tools, toolChoice: { type: 'tool', toolName: only } };
      return { tools: allowed, toolChoice: { type: 'required' } };
    default:
      throw new DragomanError('bad-request', `${place}.mode: expected AUTO, ANY, NONE or VALIDATED.`);
  }
}

const LEVELS: Readonly<Record<string, ReasoningEffort>> = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};

/** How hard to think is said in a word, or in tokens; fewer than none leave it to the model. */
function toReasoningEffort(
  thinking: NonNullable<GeminiRequest['generationConfig']>['thinkingConfig'],
): ReasoningEffort | undefined {
  const level = LEVELS[(thinking?.thinkingLevel ?? '').toUpperCase()];
  if (level !== undefined) return level;
  const budget = thinking?.thinkingBudget;
  if (budget === undefined || budget === null || budget < 0) return undefined;
  if (budget === 0) return 'none';
  return budget <= 4096 ? 'low' : budget <= 12_288 ? 'medium' : 'high';
}

function toResponseFormat({
  responseMimeType,
  responseSchema,
  responseJsonSchema,
}: NonNullable<GeminiRequest['generationConfig']>): ModelCall['responseFormat'] | undefined {
  const schema = responseJsonSchema ?? (responseSchema ? toJsonSchema(responseSchema) : undefined);
  if (responseMimeType !== 'application/json' && schema === undefined) return undefined;
  return { type: 'json', ...optional('schema', schema) };
}
