import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../tools/tool.ts';
import { type McpConfig, mcpConfigShape } from './mcp-config.ts';
import { type McpProblem, type McpServers, type McpServersOptions, openMcpServers } from './mcp-servers.ts';

/** Servers under test, with what they did to the registry and what they told. */
export interface TestedServers extends McpServers {
  tools: Map<string, Tool.Info>;
  problems: McpProblem[];
  stderr: string[];
  call(id: string, input?: Record<string, unknown>, context?: Partial<Tool.Context>): Promise<Tool.Result>;
  configure(mcp: unknown): void;
}

/** The command line of a server that stands beside the tests. */
export function fixture(name: 'stdio-server' | 'odd-server' | 'asking-server', ...args: string[]): string[] {
  return [process.execPath, fileURLToPath(new URL(`${name}.fixture.ts`, import.meta.url)), ...args];
}

/** Opens servers for the running test and closes them after it. */
export function testServers(...args: Parameters<typeof startServers>): TestedServers {
  const servers = startServers(...args);
  onTestFinished(() => servers.close());
  return servers;
}

/** Opens servers that whoever asked for them closes. */
export function startServers(
  mcp: unknown,
  {
    timeout = 60_000,
    builtIn = [],
    ...options
  }: { timeout?: number; builtIn?: string[] } & Partial<McpServersOptions> = {},
): TestedServers {
  const tools = new Map<string, Tool.Info>();
  const problems: McpProblem[] = [];
  const stderr: string[] = [];
  let config = parseMcpConfig({ mcp, mcp_timeout: timeout });
  const servers = openMcpServers({
    config: () => config,
    registry: {
      register: (tool) => void tools.set(tool.id, tool),
      unregister: (id) => void tools.delete(id),
      has: (id) => tools.has(id) || builtIn.includes(id),
    },
    log: { debug: (_fields, text) => void stderr.push(text), info() {}, warn() {} },
    onProblem: (problem) => void problems.push(problem),
    ...options,
    // However long a server takes to start on a busy machine.
    timing: { reconnectMs: () => 20, connectMs: 300_000, callWaitMs: 300_000, ...options.timing },
  });
  return {
    ...servers,
    tools,
    problems,
    stderr,
    call: (id, input = {}, context = {}) => tools.get(id)!.execute(input, toolContext(context)),
    configure(next) {
      config = parseMcpConfig({ mcp: next, mcp_timeout: timeout });
    },
  };
}

export function parseMcpConfig(value: unknown): McpConfig {
  return z.strictObject(mcpConfigShape).parse(value);
}

/** A call's place, with nothing around it. */
export function toolContext(given: Partial<Tool.Context> = {}): Tool.Context {
  return {
    sessionID: 'ses_1',
    messageID: 'msg_1',
    callID: 'call_1',
    agent: 'build',
    cwd: '/',
    root: '/',
    abort: new AbortController().signal,
    metadata: () => {},
    isPermitted: () => true,
    ask: () => Promise.resolve(),
    ...given,
  };
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
