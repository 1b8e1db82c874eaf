// The tools, resources and prompts of MCP servers as ours. Apart, so that an agent without servers does not load it.
export { convertMcpTool, type ForeignTool, type McpCall } from './mcp/convert-mcp-tool.ts';
export { formatMcpUri, type McpUri, parseMcpUri } from './mcp/mcp-uri.ts';
