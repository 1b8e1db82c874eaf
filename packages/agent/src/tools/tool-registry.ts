import type { ToolDefinition } from '@dragoman/protocol';
import { z } from 'zod';
import type { Tool } from './tool.ts';

/** Every tool there is, wherever it comes from: built in, of one's own, skills, MCP. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool.Info>();
  readonly #disabled = new Set<string>();
  readonly #definitions = new WeakMap<Tool.Info, ToolDefinition>();
  readonly #problems: string[] = [];
  #version = 0;

  /** Changes whenever the list does. */
  get version(): number {
    return this.#version;
  }

  /** The first of a name stays; a second one is reported. */
  register(tool: Tool.Info): boolean {
    if (this.#tools.has(tool.id)) {
      this.#problems.push(`There are two tools named "${tool.id}"; the first one is used.`);
      return false;
    }
    this.#tools.set(tool.id, tool);
    this.#version++;
    return true;
  }

  unregister(id: string): void {
    if (this.#tools.delete(id)) this.#version++;
  }

  /** Says that what is offered of the list has changed. */
  touch(): void {
    this.#version++;
  }

  get(id: string): Tool.Info | undefined {
    return this.#disabled.has(id) ? undefined : this.#tools.get(id);
  }

  setEnabled(id: string, isEnabled: boolean): void {
    if (isEnabled) this.#disabled.delete(id);
    else this.#disabled.add(id);
    this.#version++;
  }

  /** Those that are enabled, in the order in which they came. */
  list(): Tool.Info[] {
    return [...this.#tools.values()].filter(({ id }) => !this.#disabled.has(id));
  }

  /** What went wrong with registering. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** What the model is told of a tool. Made once for each, so that it is the same every time. */
  definition(tool: Tool.Info): ToolDefinition {
    let definition = this.#definitions.get(tool);
    if (definition === undefined || definition.description !== tool.description) {
      definition = describeTool(tool);
      this.#definitions.set(tool, definition);
    }
    return definition;
  }
}

/** A tool in the words of a model call. */
export function describeTool(tool: Tool.Info): ToolDefinition {
  return { name: tool.id, description: tool.description, inputSchema: jsonSchemaOf(tool) };
}

function jsonSchemaOf({ parameters }: Tool.Info): Readonly<Record<string, unknown>> {
  if (!isZod(parameters)) return { type: 'object', ...parameters };
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' });
  return schema;
}

/** Also a schema of another copy of the library, as a tool from a folder may bring. */
export function isZod(parameters: Tool.Info['parameters']): parameters is z.ZodType {
  return '_zod' in parameters;
}
