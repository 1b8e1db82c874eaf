import type { McpServer } from '@agentclientprotocol/sdk';
import { Secret } from '@dragoman/server/base';
import type { McpConfig, McpServerConfig } from '../mcp/mcp-config.ts';

/** The servers that a client wants connected for a session, as the configuration would name them. */
export function decodeMcpServers(servers: readonly McpServer[]): McpConfig['mcp'] {
  return Object.fromEntries(servers.map((server) => [server.name, decodeServer(server)]));
}

function decodeServer(server: McpServer): McpServerConfig {
  if ('url' in server)
    return { url: server.url, transport: server.type, headers: secrets(server.headers), enabled: true };
  return { command: [server.command, ...server.args], env: secrets(server.env), enabled: true };
}

function secrets(pairs: readonly { name: string; value: string }[]): Record<string, Secret> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, new Secret(value)]));
}
