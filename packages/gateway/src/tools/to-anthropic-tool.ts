import type { ToolDefinition } from '@dragoman/protocol';
import { parseToolDefinitions } from './parse-tool-definitions.ts';

/** A tool as Anthropic's Messages takes it. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ToolDefinition['inputSchema'];
}

export function toAnthropicTool({ name, description, inputSchema }: ToolDefinition): AnthropicTool {
  return { name, description, input_schema: inputSchema };
}

/** A client's list, in whatever shapes, as Anthropic tools. */
export function augmentToolsToAnthropic(list: unknown): AnthropicTool[] {
  return parseToolDefinitions(list).map(toAnthropicTool);
}
