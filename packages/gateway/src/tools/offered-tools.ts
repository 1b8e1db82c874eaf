import { DragomanError, type ProviderMetadata, type ToolDefinition } from '@dragoman/protocol';
import { LIST_LIMITS } from '../dialects/list-limits.ts';
import { customToolDefinition } from './custom-tool.ts';
import { toolDefinitionParser } from './parse-tool-definitions.ts';
import { MAX_TOOL_NAME } from './tool-name.ts';
import { type ClientTool, ToolNames } from './tool-names.ts';

/** An entry in a client's list of tools. */
export interface ToolEntry {
  type?: string | null | undefined;
  name?: string | null | undefined;
  namespace?: string | null | undefined;
  description?: string | null | undefined;
  [field: string]: unknown;
}

/** What is known of a tool beside its entry. */
interface ToolSetting {
  namespace?: string;
  /** Said before its own description. */
  about?: string;
  providerOptions?: ProviderMetadata | undefined;
}

/**
 * The tools of a request as functions, in the order in which they were read. One that is offered twice is offered once, in
 * its last form.
 */
export class OfferedTools {
  readonly names = new ToolNames();
  /** What the model is not told of, by its place: tools that it cannot use, and entries that nobody could call. */
  readonly leftOut = new Set<string>();
  readonly #offered = new Map<string, ToolDefinition>();
  readonly #parseFunction = toolDefinitionParser();

  get leftOutPlaces(): string[] | undefined {
    return this.leftOut.size === 0 ? undefined : [...this.leftOut];
  }

  get definitions(): ToolDefinition[] {
    return [...this.#offered.values()];
  }

  /** Adds a function, or a custom tool. Gives back the name that the model knows it by, if it has one. */
  addEntry(entry: ToolEntry, place: string, { namespace, about, providerOptions }: ToolSetting = {}): string[] {
    const form = entry.type === 'custom' ? 'custom' : 'function';
    const definition =
      form === 'custom'
        ? customToolDefinition(entry.name ?? '', entry.description ?? '', entry['format'])
        : this.#parseFunction(entry);
    if (definition === undefined || !isToolName(definition.name)) return this.leaveOut(place);
    return this.add(
      { form, name: definition.name, ...(namespace === undefined ? {} : { namespace }) },
      {
        ...definition,
        description: [about, definition.description].filter(Boolean).join('\n\n'),
        ...(providerOptions === undefined ? {} : { providerOptions }),
      },
    );
  }

  /** Adds a tool of any form, as the function that it is for a model. */
  add(tool: ClientTool, definition: ToolDefinition): string[] {
    const name = this.names.nameOf(tool);
    this.#offered.set(name, { ...definition, name });
    if (this.#offered.size > LIST_LIMITS.tools)
      throw new DragomanError('bad-request', `tools: more than ${LIST_LIMITS.tools} tools in all.`);
    return [name];
  }

  leaveOut(place: string): [] {
    this.leftOut.add(place);
    return [];
  }
}

/** Whether a tool, or a namespace, can be called so. */
export function isToolName(name: string | null | undefined): name is string {
  return typeof name === 'string' && name.trim() !== '' && name.length <= MAX_TOOL_NAME;
}
