import type { AgentLog } from '../agent-log.ts';
import type { McpAuth } from '../mcp/mcp-credentials.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import type { McpToolRegistry } from '../mcp/sync-mcp-tools.ts';
import { untrustedProject } from '../mcp/untrusted-project.ts';
import type { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';
import type { WorkplaceOptions } from './workplace.ts';

/** What MCP servers need of their surroundings. */
export interface ForeignToolsOptions extends Pick<
  WorkplaceOptions,
  'config' | 'cwd' | 'root' | 'folder' | 'canAskPeople'
> {
  isTrusted: () => boolean | Promise<boolean>;
  registry: ToolRegistry;
  auth: McpAuth | undefined;
  log: AgentLog;
  onProblem: (problem: string) => void;
}

/** The tools of MCP servers, as far as there are any. */
export interface ForeignTools {
  /** None before the configuration names the first. */
  readonly servers: McpServers | undefined;
  /** Whether a tool is not sent until a search has found it. */
  isHidden(id: string): boolean;
  /** Takes up what has changed in the configuration since; to be called before a turn. */
  follow(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects the MCP servers of the configuration; their tools join the registry as they come. When they take too much of
 * every prompt, they are found by search instead. Without servers nothing of this is loaded.
 */
export function foreignTools(options: ForeignToolsOptions): ForeignTools {
  let opening: Promise<OpenedTools> | undefined;
  let opened: OpenedTools | undefined;
  return {
    get servers() {
      return opened?.servers;
    },
    isHidden: (id) => opened?.isHidden(id) ?? false,
    async follow() {
      if (opened !== undefined) return opened.servers.reload();
      if (Object.keys(options.config().mcp).length === 0) return;
      opening ??= openTools(options);
      opened = await opening;
    },
    close: async () => (await opening)?.servers.close(),
  };
}

interface OpenedTools {
  servers: McpServers;
  isHidden(id: string): boolean;
}

async function openTools(options: ForeignToolsOptions): Promise<OpenedTools> {
  const { config, registry, auth, cwd, log, onProblem } = options;
  const [{ openMcpServers }, { mcpResourceTool }, { toolSearch }] = await Promise.all([
    import('../mcp/mcp-servers.ts'),
    import('../mcp/mcp-resource-tool.ts'),
    import('../mcp/tool-search.ts'),
  ]);
  const searched = searchedTools(registry, (tools, onFound) =>
    toolSearch({ tools, budgetTokens: config().agent.tools.searchBudgetTokens, onFound }),
  );
  const servers = openMcpServers({
    config: () => ({ mcp: config().mcp, mcp_timeout: config().mcp_timeout }),
    registry: searched,
    authStore: auth?.store,
    openBrowser: auth?.openBrowser,
    canAskPeople: options.canAskPeople,
    log,
    onProblem: ({ server, message }) => onProblem(`MCP server "${server}": ${message}`),
    cwd,
    untrusted: (await options.isTrusted()) ? undefined : untrustedProject(options.root, options.folder),
  });
  registry.register(mcpResourceTool(servers));
  return { servers, isHidden: searched.isHidden };
}

type OpenSearch = (
  tools: readonly Tool.Info[],
  onFound: (ids: readonly string[]) => void,
) => { tool: Tool.Info; hidden: ReadonlySet<string> } | undefined;

/** Tools go on to the registry; which of them are hidden is decided anew when the list has changed, however many came at once. */
function searchedTools(
  registry: ToolRegistry,
  openSearch: OpenSearch,
): McpToolRegistry & Pick<ForeignTools, 'isHidden'> {
  const tools = new Map<string, Tool.Info>();
  const found = new Set<string>();
  let hidden: ReadonlySet<string> = new Set();
  let isDeciding = false;

  const decide = () => {
    isDeciding = false;
    const search = openSearch([...tools.values()], (ids) => {
      for (const id of ids) found.add(id);
      registry.touch();
    });
    hidden = search?.hidden ?? new Set();
    registry.unregister('tool-search');
    if (search !== undefined) registry.register(search.tool);
  };
  const decideSoon = () => {
    if (isDeciding) return;
    isDeciding = true;
    queueMicrotask(decide);
  };
  return {
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
    isHidden: (id) => hidden.has(id) && !found.has(id),
  };
}
