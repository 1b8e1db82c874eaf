import type { Client } from '@modelcontextprotocol/client';
import type { z } from 'zod';
import { listAll } from './list-all.ts';
import {
  type McpPrompt,
  mcpPromptSchema,
  type McpResource,
  mcpResourceSchema,
  type McpToolDefinition,
  mcpToolSchema,
} from './mcp-wire.ts';
import type { McpList } from './open-mcp-session.ts';

/** What listing needs, and whom it tells. */
export interface ServerOffersOptions {
  /** For one page of a list. */
  timeoutMs: number;
  /** Ends all listing. */
  ending: AbortSignal;
  onChange(what: McpList): void;
  onProblem(message: string): void;
}

/** What one server has to offer, as it last listed it. It stays while the server is away. */
export class ServerOffers {
  tools: readonly McpToolDefinition[] = [];
  prompts: readonly McpPrompt[] = [];
  /** What the server says about itself, for the system prompt. */
  instructions: string | undefined;

  readonly #options: ServerOffersOptions;
  #resources: Promise<readonly McpResource[]> | undefined;

  constructor(options: ServerOffersOptions) {
    this.#options = options;
  }

  /** Lists what a server that was just connected has. Tools must be listed; prompts that cannot be are told. */
  async list(client: Client, signal: AbortSignal): Promise<void> {
    const offers = client.getServerCapabilities();
    const [tools, prompts] = await Promise.all([
      offers?.tools === undefined ? [] : this.#all(client, 'tools/list', 'tools', mcpToolSchema, signal),
      offers?.prompts === undefined
        ? []
        : this.#all(client, 'prompts/list', 'prompts', mcpPromptSchema, signal).catch((error: unknown) => {
            this.#options.onProblem(`its prompts cannot be listed: ${messageOf(error)}`);
            return [];
          }),
    ]);
    this.instructions = client.getInstructions();
    this.tools = tools;
    this.prompts = prompts;
    this.#options.onChange('tools');
    this.#options.onChange('prompts');
  }

  /** The server says that a list has changed. */
  async refresh(client: Client, list: McpList): Promise<void> {
    try {
      if (list === 'tools') this.tools = await this.#all(client, 'tools/list', 'tools', mcpToolSchema);
      if (list === 'prompts') this.prompts = await this.#all(client, 'prompts/list', 'prompts', mcpPromptSchema);
      if (list === 'resources') this.forgetResources();
      this.#options.onChange(list);
    } catch (error) {
      this.#options.onProblem(`its ${list} changed and cannot be listed again: ${messageOf(error)}`);
    }
  }

  /** What it has to read, asked for when wanted and kept until it changes. */
  resources(ready: () => Promise<Client>): Promise<readonly McpResource[]> {
    const listed = (this.#resources ??= ready().then((client) =>
      client.getServerCapabilities()?.resources === undefined
        ? []
        : this.#all(client, 'resources/list', 'resources', mcpResourceSchema),
    ));
    listed.catch(() => {
      if (this.#resources === listed) this.#resources = undefined;
    });
    return listed;
  }

  forgetResources(): void {
    this.#resources = undefined;
  }

  #all<Entry>(
    client: Client,
    method: string,
    key: string,
    schema: z.ZodType<Entry>,
    signal: AbortSignal = this.#options.ending,
  ): Promise<Entry[]> {
    const { timeoutMs, onProblem } = this.#options;
    return listAll(client, { method, key, schema, signal, timeoutMs, onProblem });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
