import { DragomanError, type Fault } from '@dragoman/protocol';
import type { McpServerConfig } from '../mcp/mcp-config.ts';
import { McpConnection } from '../mcp/mcp-connection.ts';
import { forgetfulAuthStore } from '../mcp/mcp-credentials.ts';
import { MCP_TIMING } from '../mcp/mcp-timing.ts';
import type { UntrustedProject } from '../mcp/untrusted-project.ts';
import { type DescribedTool, describeMcpTools } from './described-tool.ts';
import { mcpProblem } from './mcp-problem.ts';

/** A server that is tried. */
export interface TestMcpServerOptions {
  settings: McpServerConfig;
  /** The project that it is tried for. */
  cwd: string;
  /** Said where that one is not trusted. */
  untrusted?: UntrustedProject | undefined;
  /** Ends the attempt, and the server with it. */
  signal: AbortSignal;
  /** How long it may take to be connected and to list its tools. */
  connectMs?: number | undefined;
}

/** What came of it: its tools, or what is wrong. */
export interface McpTest {
  tools: DescribedTool[];
  problem?: Fault;
}

/**
 * Connects to a server once, lists its tools and ends it, whether or not it is switched on. Nothing is kept: a server that
 * asks for a login is told, and the login itself is for when it is saved.
 */
export async function testMcpServer(options: TestMcpServerOptions): Promise<McpTest> {
  const { settings, cwd, untrusted, signal, connectMs } = options;
  const connection = new McpConnection({
    name: 'tested',
    settings: { ...settings, enabled: true },
    cwd,
    untrusted,
    version: '0.1.0',
    authStore: forgetfulAuthStore(),
    openBrowser: undefined,
    timing: { ...MCP_TIMING, ...(connectMs === undefined ? {} : { connectMs }) },
    now: Date.now,
    onChange() {},
    onProblem() {},
    onStderr() {},
  });
  const end = () => void connection.close();
  signal.addEventListener('abort', end);
  try {
    if (!signal.aborted) await connection.connect();
    if (signal.aborted) throw new DragomanError('cancelled', 'The test of the MCP server was cancelled.');
    const { state } = connection.status;
    const status = state === 'needs-login' ? { state } : connection.status; // With the test, the address goes too.
    const problem = mcpProblem({ settings, status, cwd });
    const tools = state === 'connected' ? describeMcpTools(connection.offers.tools) : [];
    return { tools, ...(problem === undefined ? {} : { problem }) };
  } finally {
    signal.removeEventListener('abort', end);
    await connection.close();
  }
}
