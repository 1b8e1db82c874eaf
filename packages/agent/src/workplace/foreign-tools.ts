import type { AgentLog } from '../agent-log.ts';
import type { AgentConfig } from '../config/agent-config-shape.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';

export interface ForeignToolsOptions {
  config: () => AgentConfig;
  registry: ToolRegistry;
  cwd: string;
  log: AgentLog;
  onProblem: (problem: string) => void;
}

/** The tools of MCP servers, as far as there are any. */
export interface ForeignTools {
  servers: McpServers;
  /** Whether a tool is not sent until a search has found it. */
  isHidden(id: string): boolean;
}

/**
 * Connects the MCP servers of the configuration; their tools join the registry as they come. When they take too much of
 * every prompt, they are found by search instead. Without servers nothing of this is loaded.
 */
export async function foreignTools({
  config,
  registry,
  cwd,
  log,
  onProblem,
}: ForeignToolsOptions): Promise<ForeignTools | undefined> {
  if (Object.keys(config().mcp).length === 0) return undefined;
  const [{ openMcpServers }, { mcpResourceTool }, { toolSearch }] = await Promise.all([
    import('../mcp/mcp-servers.ts'),
    import('../mcp/mcp-resource-tool.ts'),
    import('../mcp/tool-search.ts'),
  ]);
  const tools = new Map<string, Tool.Info>();
  const found = new Set<string>();
  let hidden: ReadonlySet<string> = new Set();

  /** Decided anew when the list of foreign tools has changed, however many came at once. */
  let isDeciding = false;
  const decideSoon = () => {
    if (isDeciding) return;
    isDeciding = true;
    queueMicrotask(decide);
  };
  const decide = () => {
    isDeciding = false;
    const search = toolSearch({
      tools: [...tools.values()],
      budgetTokens: config().agent.tools.searchBudgetTokens,
      onFound(ids) {
        for (const id of ids) found.add(id);
        registry.touch();
      },
    });
    hidden = search?.hidden ?? new Set();
    registry.unregister('tool-search');
    if (search !== undefined) registry.register(search.tool);
  };
  const servers = openMcpServers({
    config: () => ({ mcp: config().mcp, mcp_timeout: config().mcp_timeout }),
    registry: {
      register(tool) {
        tools.set(tool.id, tool);
        registry.register(tool);
        decideSoon();
      },
      unregister(id) {
        tools.delete(id);
        registry.unregister(id);
        decideSoon();
      },
      has: (id) => registry.get(id) !== undefined,
    },
    log,
    onProblem: ({ server, message }) => onProblem(`MCP server "${server}": ${message}`),
    cwd,
  });
  registry.register(mcpResourceTool(servers));
  return { servers, isHidden: (id) => hidden.has(id) && !found.has(id) };
}
