import { resolve } from 'node:path';
import { type McpEngine, serveMcp } from '@dragoman/context/mcp';
import { DragomanError } from '@dragoman/protocol';
import { isInside, namedFolder, workspaceRoot } from '../choose-folder.ts';
import type { CommonOptions } from '../load-setup.ts';
import { type LocalContext, withLocalContext } from '../open-local-context.ts';
import { printError, rawOutput } from '../terminal/print.ts';
import { VERSION } from '../version.ts';

/** `dragoman mcp`: the context engine for any agent that speaks MCP, over standard input and output. */
export async function mcp(options: CommonOptions & { dir?: string }): Promise<void> {
  const folder = options.dir === undefined ? undefined : namedFolder(options.dir);
  await withLocalContext(options, true, (local) =>
    serveMcp({
      engine: mcpEngine(local, folder),
      version: VERSION,
      input: process.stdin,
      output: rawOutput,
      signal: local.interrupted.signal,
      onError: (error) => printError(`dragoman: ${error.message}`),
    }),
  );
}

function mcpEngine({ context, userId }: LocalContext, folder: string | undefined): McpEngine {
  const codeIn = async (asked: string | undefined) => {
    const known = await context.workspaces.list(userId);
    const home = namedFolder(folder);
    if (asked === undefined) return context.searchIn(userId, workspaceRoot(home, known));
    const at = namedFolder(resolve(home, asked));
    // A model names folders as it likes; what may be read is what a person indexed, or where the command was started.
    if (!isInside(at, home) && !known.some(({ root }) => isInside(at, root)))
      throw new DragomanError(
        'forbidden',
        `${at} is neither in ${home} nor in an indexed folder. A person can add it with: dragoman index ${at}`,
      );
    return context.searchIn(userId, workspaceRoot(at, known));
  };
  return {
    retrieve: async (query, workspaceFolder, signal) => (await codeIn(workspaceFolder)).retrieve({ query }, signal),
    findSymbol: async (name, limit, workspaceFolder, signal) =>
      (await codeIn(workspaceFolder)).findSymbol(name, limit, signal),
    listWorkspaces: async () =>
      (await context.workspaces.describe(userId)).map(({ name, root, files }) => ({ name, root, files })),
  };
}
