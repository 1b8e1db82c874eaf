import { z } from 'zod';

// What servers send, as far as it is read here. null stands for absent, what is not known passes.

const text = z.string().nullish();

/** A piece of a result or of a prompt. Kinds that are not known keep their `type`. */
const mcpContentSchema = z.looseObject({
  type: z.string(),
  text,
  data: text,
  mimeType: text,
  uri: text,
  name: text,
  title: text,
  description: text,
  resource: z.looseObject({ uri: z.string(), mimeType: text, text, blob: text }).nullish(),
});
export type McpContent = z.infer<typeof mcpContentSchema>;

/** A tool as its server describes it. */
export const mcpToolSchema = z.looseObject({
  name: z.string().min(1),
  title: text,
  description: text,
  inputSchema: z.record(z.string(), z.unknown()).nullish(),
  annotations: z.looseObject({ title: text, readOnlyHint: z.boolean().nullish() }).nullish(),
});
export type McpToolDefinition = z.infer<typeof mcpToolSchema>;

/** What a tool gave back. */
export const mcpToolResultSchema = z.looseObject({
  content: z.array(mcpContentSchema).nullish(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
});
export type McpToolResult = z.infer<typeof mcpToolResultSchema>;

/** A prompt that a server offers, with what it wants to be told. */
export const mcpPromptSchema = z.looseObject({
  name: z.string().min(1),
  title: text,
  description: text,
  arguments: z.array(z.looseObject({ name: z.string(), description: text, required: z.boolean().nullish() })).nullish(),
});
export type McpPrompt = z.infer<typeof mcpPromptSchema>;

/** A prompt with its words filled in. */
export const mcpPromptResultSchema = z.looseObject({
  description: text,
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.union([mcpContentSchema, z.array(mcpContentSchema)]) }),
  ),
});
export type McpPromptResult = z.infer<typeof mcpPromptResultSchema>;

/** Something a server has to read. */
export const mcpResourceSchema = z.looseObject({
  uri: z.string().min(1),
  name: text,
  title: text,
  description: text,
  mimeType: text,
});
export type McpResource = z.infer<typeof mcpResourceSchema>;

const mcpResourceContentSchema = z.looseObject({ uri: text, mimeType: text, text, blob: text });
/** One piece of what a resource holds: text or, in base64, bytes. */
export type McpResourceContent = z.infer<typeof mcpResourceContentSchema>;

/** What was read. */
export const mcpResourceResultSchema = z.looseObject({ contents: z.array(mcpResourceContentSchema) });

/** How far a running call is. */
export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}
