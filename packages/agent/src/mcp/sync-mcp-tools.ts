import type { Tool } from '../tools/tool.ts';
import { assignToolNames, type AssignedName } from './mcp-tool-name.ts';
import { convertMcpTool, type McpCall } from './convert-mcp-tool.ts';
import type { McpToolDefinition } from './mcp-wire.ts';

/** Where tools are put so that the model can call them. */
export interface McpToolRegistry {
  register(tool: Tool.Info): void;
  unregister(id: string): void;
  /** Whether somebody has that name already. */
  has?(id: string): boolean;
}

/** What one server has to offer. */
export interface McpToolOffer {
  clientName: string;
  tools: readonly McpToolDefinition[];
  timeoutMs: number;
  call(toolName: string): McpCall;
}

/**
 * Keeps the registry in line with what the servers offer.
 *
 * Every tool is named anew from the whole list, in the order of the configuration and not in that of arrival, so it is
 * called the same every time. What did not change is not touched: the model's view stays the same to the byte.
 */
export function syncMcpTools(registry: McpToolRegistry, onClash: (server: string, message: string) => void) {
  const registered = new Map<string, string>();
  const told = new Set<string>();
  return (offers: readonly McpToolOffer[]): void => {
    const tools = offers.flatMap((offer) => uniqueByName(offer.tools).map((tool) => ({ ...offer, tool })));
    const names = assignToolNames(
      tools.map(({ clientName, tool }) => ({ clientName, toolName: tool.name })),
      (id) => !registered.has(id) && registry.has?.(id) === true,
    );
    const wanted = new Map(tools.map((tool, index) => [names[index]!.id, { ...tool, name: names[index]! }]));
    for (const [id, key] of registered) {
      const next = wanted.get(id);
      if (next !== undefined && keyOf(next) === key) continue;
      registry.unregister(id);
      registered.delete(id);
    }
    for (const [id, offered] of wanted) {
      const { clientName, tool, timeoutMs, call, name } = offered;
      const clash = describeClash(tool.name, name);
      if (clash !== undefined && !told.has(`${clientName}: ${clash}`)) {
        told.add(`${clientName}: ${clash}`);
        onClash(clientName, clash);
      }
      if (registered.has(id)) continue;
      registry.register(convertMcpTool({ id, clientName, tool, timeoutMs, call: call(tool.name) }));
      registered.set(id, keyOf(offered));
    }
  };
}

function keyOf({ clientName, tool, timeoutMs }: { clientName: string; tool: McpToolDefinition; timeoutMs: number }) {
  return JSON.stringify([clientName, timeoutMs, tool]);
}

/** A server that lists a tool twice means one. */
function uniqueByName(tools: readonly McpToolDefinition[]): McpToolDefinition[] {
  const seen = new Set<string>();
  return tools.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function describeClash(toolName: string, { id, clash }: AssignedName): string | undefined {
  if (clash === undefined) return undefined;
  const other =
    clash.with === 'another tool' ? clash.with : `the tool "${clash.with.toolName}" of "${clash.with.clientName}"`;
  return `its tool "${toolName}" is called ${id}, because ${clash.id} is the name of ${other}`;
}
