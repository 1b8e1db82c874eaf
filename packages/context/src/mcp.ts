export { type McpEngine, type McpWorkspace } from './mcp/mcp-engine.ts';
export { serveMcp } from './mcp/serve-mcp.ts';
