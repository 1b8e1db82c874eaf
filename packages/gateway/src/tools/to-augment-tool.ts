import type { ToolDefinition } from '@dragoman/protocol';

/** How freely a client runs a tool: 0 unsafe, 1 safe, 2 to be checked by its input. */
export type ToolSafety = 0 | 1 | 2;

/** A tool as Augment clients write it. */
export interface AugmentTool {
  name: string;
  description: string;
  input_schema_json: string;
  tool_safety: ToolSafety;
}

/** Unless the caller knows better the tool is unsafe: a client then asks before it runs. */
export function toAugmentTool(
  { name, description, inputSchema }: ToolDefinition,
  toolSafety: ToolSafety = 0,
): AugmentTool {
  return { name, description, input_schema_json: JSON.stringify(inputSchema), tool_safety: toolSafety };
}
