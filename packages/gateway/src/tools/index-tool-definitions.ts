import type { ToolDefinition } from '@dragoman/protocol';
import type { JsonObject } from './json-object.ts';

/** What repair needs to know of a tool. */
interface IndexedTool {
  schema: JsonObject;
  description: string;
}

export type ToolIndex = ReadonlyMap<string, IndexedTool>;

/** Finds a tool by the name the model calls it by. */
export function indexToolDefinitions(tools: readonly ToolDefinition[]): ToolIndex {
  return new Map(tools.map(({ name, description, inputSchema }) => [name, { schema: inputSchema, description }]));
}
