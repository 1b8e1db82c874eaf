import { DragomanError } from '@dragoman/protocol';
import type { Tool } from '../tools/tool.ts';
import type { McpQuestion } from './ask-mcp-server.ts';
import type { ConvertedContent } from './convert-mcp-content.ts';
import type { McpConnection } from './mcp-connection.ts';
import {
  commandArguments,
  convertMcpPrompt,
  type McpCommand,
  type McpCommandInput,
  toMcpCommand,
} from './mcp-prompts.ts';
import { resourceToAttachment } from './mcp-resource.ts';
import { formatMcpUri, parseMcpUri } from './mcp-uri.ts';
import { mcpPromptResultSchema, type McpResource, mcpResourceResultSchema } from './mcp-wire.ts';

/** A resource somebody may read, by its `mcp://` address. */
interface ListedMcpResource {
  clientName: string;
  uri: string;
  name: string;
  description: string;
  mime: string | undefined;
}

/** What all servers have to offer beside their tools. */
export interface McpCatalogue {
  listCommands(): McpCommand[];
  /** The prompt behind a command, as text with attachments. */
  expandCommand(name: string, input: McpCommandInput, signal?: AbortSignal): Promise<ConvertedContent>;
  /** What all connected servers have to read. One that fails is told as a problem, and left out. */
  listResources(signal?: AbortSignal): Promise<ListedMcpResource[]>;
  /** What stands behind an `mcp://` address; a folder may have several files. */
  readMcpResource(uri: string, signal?: AbortSignal): Promise<Tool.Attachment[]>;
  /** What servers say about themselves, for the system prompt. */
  instructions(): { server: string; text: string }[];
}

/** Where the catalogue looks, and whom it asks and tells. */
export interface McpCatalogueOptions {
  connections(): McpConnection[];
  ask<Answer>(
    server: string,
    question: Pick<McpQuestion<Answer>, 'method' | 'params' | 'schema'>,
    signal: AbortSignal | undefined,
  ): Promise<Answer>;
  onProblem(server: string, message: string): void;
}

/** Gathers what the servers offer. Nothing is kept here: every answer is as the servers are at that moment. */
export function mcpCatalogue({ connections, ask, onProblem }: McpCatalogueOptions): McpCatalogue {
  return {
    listCommands: () =>
      connections().flatMap(({ name, offers }) => offers.prompts.map((prompt) => toMcpCommand(name, prompt))),
    async expandCommand(name, input, signal) {
      for (const { name: server, offers } of connections())
        for (const prompt of offers.prompts) {
          const command = toMcpCommand(server, prompt);
          if (command.name !== name) continue;
          const params = { name: prompt.name, arguments: commandArguments(command, input) };
          const schema = mcpPromptResultSchema;
          return convertMcpPrompt(server, await ask(server, { method: 'prompts/get', params, schema }, signal));
        }
      throw new DragomanError('not-found', `no MCP server has the prompt /${name}`);
    },
    async listResources(signal = new AbortController().signal) {
      const connected = connections().filter(({ status }) => status.state === 'connected');
      const lists = await Promise.all(
        connected.map(async (connection) => {
          try {
            return (await connection.resources(signal)).map((resource) => toListed(connection.name, resource));
          } catch (error) {
            onProblem(connection.name, `its resources cannot be listed: ${String(error)}`);
            return [];
          }
        }),
      );
      return lists.flat();
    },
    async readMcpResource(uri, signal) {
      const { clientName, resource } = parseMcpUri(uri);
      const question = { method: 'resources/read', params: { uri: resource }, schema: mcpResourceResultSchema };
      const { contents } = await ask(clientName, question, signal);
      return contents.map((content) => resourceToAttachment({ clientName, uri: content.uri ?? resource, content }));
    },
    instructions: () =>
      connections().flatMap(({ name, offers: { instructions = '' } }) =>
        instructions.trim() === '' ? [] : [{ server: name, text: instructions.trim() }],
      ),
  };
}

function toListed(clientName: string, { uri, name, title, description, mimeType }: McpResource): ListedMcpResource {
  return {
    clientName,
    uri: formatMcpUri({ clientName, resource: uri.toWellFormed() }),
    name: title ?? name ?? uri,
    description: description ?? '',
    mime: mimeType ?? undefined,
  };
}
