import type { ToolDefinition } from '@dragoman/protocol';
import type { ToolRegistry } from '../tools/tool-registry.ts';
import type { Tool } from '../tools/tool.ts';

/** The tools of one turn: what the agent may use of all there are. */
export interface OfferedTools {
  find(id: string): Tool.Info | undefined;
  names(): string[];
  /** The same list, to the byte, as long as nothing changed. */
  definitions(): ToolDefinition[];
}

/** Offers those tools of the registry that `isOffered` lets through. A tool that is registered later is there at the next step. */
export function offerTools(registry: ToolRegistry, isOffered: (tool: Tool.Info) => boolean): OfferedTools {
  let version = -1;
  let tools: Tool.Info[] = [];
  let definitions: ToolDefinition[] = [];
  const refresh = () => {
    if (version === registry.version) return;
    version = registry.version;
    tools = registry.list().filter(isOffered);
    definitions = tools.map((tool) => registry.definition(tool));
  };
  return {
    find(id) {
      refresh();
      return tools.find((tool) => tool.id === id);
    },
    names() {
      refresh();
      return tools.map(({ id }) => id);
    },
    definitions() {
      refresh();
      return definitions;
    },
  };
}
