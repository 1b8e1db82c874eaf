import { z } from 'zod';
import { MAX_TOOL_NAME } from '../../tools/tool-name.ts';
import { isJsonObject } from '../../tools/json-object.ts';
import { LIST_LIMITS } from '../list-limits.ts';
import { tokenLimitSchema } from '../token-limit.ts';

/**
 * A request as clients send it: what we read, leniently. Unknown fields pass.
 *
 * The service takes the names of its fields in both spellings. Those are made one here; names inside arguments and
 * schemas are the client's own and stay.
 */
const object = <Shape extends z.ZodRawShape>(shape: Shape) => z.preprocess(toCamelCase, z.looseObject(shape));

/** One where a list is meant stands for a list of it. */
const listOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((value) => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : [value];
  }, z.array(item).max(most));

const inlineDataSchema = object({ mimeType: z.string().nullish(), data: z.string() });
const fileDataSchema = object({ mimeType: z.string().nullish(), fileUri: z.string() });

const partSchema = z.preprocess(
  (part) => (typeof part === 'string' ? { text: part } : part),
  object({
    text: z.string().nullish(),
    thought: z.boolean().nullish(),
    thoughtSignature: z.string().nullish(),
    functionCall: object({
      id: z.string().nullish(),
      name: z.string().min(1).max(MAX_TOOL_NAME),
      args: z.record(z.string(), z.unknown()).nullish(),
    }).nullish(),
    functionResponse: object({
      id: z.string().nullish(),
      name: z.string().max(MAX_TOOL_NAME).nullish(),
      response: z.unknown().optional(),
      parts: listOf(
        object({ inlineData: inlineDataSchema.nullish(), fileData: fileDataSchema.nullish() }),
        LIST_LIMITS.parts,
      ),
    }).nullish(),
    inlineData: inlineDataSchema.nullish(),
    fileData: fileDataSchema.nullish(),
    executableCode: object({ language: z.string().nullish(), code: z.string().nullish() }).nullish(),
    codeExecutionResult: object({ output: z.string().nullish() }).nullish(),
  }),
);
export type GeminiRequestPart = z.infer<typeof partSchema>;

/** A text alone is a content of one part. */
export const contentSchema = z.preprocess(
  (content) => (typeof content === 'string' ? { parts: [content] } : content),
  object({ role: z.string().nullish(), parts: listOf(partSchema, LIST_LIMITS.parts) }),
);
export type GeminiRequestContent = z.infer<typeof contentSchema>;

const functionSchema = object({
  name: z.string().min(1).max(MAX_TOOL_NAME),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  parametersJsonSchema: z.record(z.string(), z.unknown()).nullish(),
});
export type GeminiFunction = z.infer<typeof functionSchema>;

export const geminiRequestSchema = object({
  contents: listOf(contentSchema, LIST_LIMITS.messages),
  systemInstruction: contentSchema.nullish(),
  tools: listOf(object({ functionDeclarations: listOf(functionSchema, LIST_LIMITS.tools) }), LIST_LIMITS.tools),
  toolConfig: object({
    functionCallingConfig: object({
      mode: z.string().nullish(),
      allowedFunctionNames: z.array(z.string()).max(LIST_LIMITS.tools).nullish(),
    }).nullish(),
  }).nullish(),
  generationConfig: object({
    temperature: z.number().nullish(),
    topP: z.number().nullish(),
    topK: z.number().nullish(),
    maxOutputTokens: tokenLimitSchema,
    stopSequences: z.array(z.string()).max(LIST_LIMITS.settings).nullish(),
    seed: z.number().nullish(),
    presencePenalty: z.number().nullish(),
    frequencyPenalty: z.number().nullish(),
    responseMimeType: z.string().nullish(),
    responseSchema: z.record(z.string(), z.unknown()).nullish(),
    responseJsonSchema: z.record(z.string(), z.unknown()).nullish(),
    thinkingConfig: object({
      includeThoughts: z.boolean().nullish(),
      thinkingBudget: z.number().nullish(),
      thinkingLevel: z.string().nullish(),
    }).nullish(),
  }).nullish(),
});
export type GeminiRequest = z.infer<typeof geminiRequestSchema>;

/** Fields in the spelling that we read: `inline_data` is `inlineData`. Where one stands in both, the service's own counts. */
function toCamelCase(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const isSnake = (name: string) => name.includes('_');
  if (!Object.keys(value).some(isSnake)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries([
    ...entries
      .filter(([name]) => isSnake(name))
      .map(([name, item]) => [name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), item] as const),
    ...entries.filter(([name]) => !isSnake(name)),
  ]);
}

/** A part of an answer, on its way out. */
export interface GeminiAnswerPart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id: string; name: string; args: unknown };
}

export interface GeminiUsageMetadata {
  promptTokenCount: number;
  candidatesTokenCount: number;
  totalTokenCount: number;
  thoughtsTokenCount?: number;
  cachedContentTokenCount?: number;
}
