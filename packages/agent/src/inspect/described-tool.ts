import type { McpToolDefinition } from '../mcp/mcp-wire.ts';

/** A tool in the words it has for the model. */
export interface DescribedTool {
  name: string;
  description: string;
}

/** The tools of a server under the names that it gives them; the agent knows them as `{server}_{tool}`. */
export function describeMcpTools(tools: readonly McpToolDefinition[]): DescribedTool[] {
  return tools.map(({ name, title, description }) => ({ name, description: description ?? title ?? '' }));
}
