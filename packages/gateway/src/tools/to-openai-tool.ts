import type { ToolDefinition } from '@dragoman/protocol';
import { parseToolDefinitions } from './parse-tool-definitions.ts';

/** A tool as OpenAI's Chat Completions takes it. */
export interface OpenAiTool {
  type: 'function';
  function: { name: string; description: string; parameters: ToolDefinition['inputSchema'] };
}

export function toOpenAiTool({ name, description, inputSchema }: ToolDefinition): OpenAiTool {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

/** A client's list, in whatever shapes, as OpenAI tools. */
export function augmentToolsToOpenAi(list: unknown): OpenAiTool[] {
  return parseToolDefinitions(list).map(toOpenAiTool);
}
