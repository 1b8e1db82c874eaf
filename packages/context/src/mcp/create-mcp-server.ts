import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatPlaces } from '../index/answer/format-places.ts';
import { workspaceNameSchema } from '../routes/choose-blobs.ts';
import { callCodebaseRetrieval, codebaseRetrievalTool } from '../tool/codebase-retrieval-tool.ts';
import type { McpEngine, McpWorkspace } from './mcp-engine.ts';

const DEFAULT_SYMBOLS = 10;
const MAX_SYMBOLS = 50;
/** As long as a retrieval's answer is by default. */
const MAX_SYMBOLS_LENGTH = 20_000;

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const workspaceFolder = workspaceNameSchema.describe(
  'The absolute path of the workspace to search. Only needed where there are several; see list-workspaces.',
);

/**
 * The code search as an MCP server: three tools that only read.
 *
 * What goes wrong inside of a tool is its result, with `isError`, so that the model sees it and can try again.
 */
export function createMcpServer(engine: McpEngine, version: string): McpServer {
  const server = new McpServer(
    { name: 'dragoman', title: 'Dragoman', version },
    {
      instructions:
        'Ask codebase-retrieval in plain words before you read or edit code you do not know; use find-symbol where you know the name.',
    },
  );

  server.registerTool(
    codebaseRetrievalTool.name,
    {
      title: 'Context Engine',
      description: codebaseRetrievalTool.description,
      inputSchema: z.object({
        information_request: z.string().describe('The information you want, in plain words.'),
        workspace_folder: workspaceFolder,
      }),
      annotations,
    },
    async (input, { mcpReq }) => {
      const folder = folderOf(input);
      const { text, isError } = await callCodebaseRetrieval(
        ({ query }) => engine.retrieve(query, folder, mcpReq.signal),
        input,
      );
      return toResult(text, isError);
    },
  );

  server.registerTool(
    'find-symbol',
    {
      title: 'Find Symbol',
      description:
        'Finds where a class, function, method, type or constant with this exact name is defined, and returns its code with path and line numbers, the main definition first.',
      inputSchema: z.object({
        name: z.string().trim().min(1).max(500).describe('The name as it stands in the code, such as parseConfig.'),
        limit: z
          .int()
          .min(1)
          .max(MAX_SYMBOLS)
          .nullish()
          .describe(`How many definitions at most; ${DEFAULT_SYMBOLS} where it is not given.`),
        workspace_folder: workspaceFolder,
      }),
      annotations,
    },
    async (input, { mcpReq }) => {
      const limit = input.limit ?? DEFAULT_SYMBOLS;
      const places = await engine.findSymbol(input.name, limit, folderOf(input), mcpReq.signal);
      return toResult(
        places.length === 0
          ? `No definition of ${input.name} was found.`
          : formatPlaces(places.slice(0, limit), MAX_SYMBOLS_LENGTH),
      );
    },
  );

  server.registerTool(
    'list-workspaces',
    {
      title: 'List Workspaces',
      description: 'Lists the workspaces that can be searched, each with its name, folder and number of files.',
      inputSchema: z.object({}),
      annotations,
    },
    async (_input, { mcpReq }) => {
      const workspaces = await engine.listWorkspaces(mcpReq.signal);
      return toResult(workspaces.length === 0 ? 'There are no workspaces yet.' : workspaces.map(toLine).join('\n'));
    },
  );

  return server;
}

function folderOf(input: { workspace_folder?: string | null | undefined }): string | undefined {
  const folder = input.workspace_folder?.trim();
  return folder === '' ? undefined : folder;
}

function toLine({ name, root, machine, files, pending = 0 }: McpWorkspace): string {
  const waiting = pending === 0 ? '' : `, ${pending} more being indexed`;
  const place = machine === undefined ? root : `${root} on ${machine}`;
  return `${name}: ${place} (${files} ${files === 1 ? 'file' : 'files'}${waiting})`;
}

function toResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
