import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { McpCommand } from '../mcp/mcp-prompts.ts';

/** A prompt of an MCP server as a command that can be typed. */
export function encodeCommand({ name, description, arguments: given }: McpCommand): AvailableCommand {
  const hint = given.map((argument) => (argument.isRequired ? `<${argument.name}>` : `[${argument.name}]`)).join(' ');
  return { name, description, ...(hint === '' ? {} : { input: { hint } }) };
}
