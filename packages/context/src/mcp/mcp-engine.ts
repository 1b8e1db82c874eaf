import type { CodePlace } from '@dragoman/protocol';

export interface McpWorkspace {
  name: string;
  /** Its folder. */
  root: string;
  /** The machine that has it, where there are several. */
  machine?: string | undefined;
  /** How many files can be found. */
  files: number;
  /** How many are known but cannot be found yet. */
  pending?: number;
}

/**
 * What a client asks over MCP is answered by this. A workspace folder is the root of one of the workspaces, or a path
 * in it; without it the engine decides.
 */
export interface McpEngine {
  /** The best places as one text for a model. */
  retrieve(query: string, workspaceFolder: string | undefined, signal: AbortSignal): Promise<string>;
  findSymbol(
    name: string,
    limit: number,
    workspaceFolder: string | undefined,
    signal: AbortSignal,
  ): Promise<CodePlace[]>;
  listWorkspaces(signal: AbortSignal): Promise<McpWorkspace[]>;
}
