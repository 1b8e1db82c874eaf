import type { ApiRoute } from '../api/api-route.ts';

/** What the native agent has in a folder, and agents to check. What goes in and out stands in `workplace-calls.ts`. */
export const WORKPLACE_ROUTES = {
  readWorkplace: {
    method: 'GET',
    path: '/api/workplace',
    access: 'admin',
    summary: 'Tools, MCP servers, skills and instructions of the native agent in a folder of this machine.',
    slowMs: 60_000,
  },
  explainPermission: {
    method: 'POST',
    path: '/api/workplace/permission',
    access: 'admin',
    summary: 'What would become of a call of the native agent, and which rule says so.',
    slowMs: 60_000,
  },
  testMcpServer: {
    method: 'POST',
    path: '/api/workplace/mcp-test',
    access: 'admin',
    summary: 'Connects to an MCP server that is not saved yet, and lists its tools.',
    slowMs: 90_000,
  },
  checkAgent: {
    method: 'POST',
    path: '/api/workplace/agent-check',
    access: 'admin',
    summary: 'Starts an agent, saved or not, and tells whether it keeps the rules of the protocol.',
    slowMs: 300_000,
  },
} as const satisfies Record<string, ApiRoute>;
