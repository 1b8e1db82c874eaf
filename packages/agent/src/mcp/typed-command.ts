import type { Prompt } from '../session/admit-prompt.ts';
import type { McpServers } from './mcp-servers.ts';

/** A prompt with what a command stands for in its place, when it is one that a server offers: `/{client}:{prompt} words`. */
export async function expandTypedCommand(
  { text, parts }: { text: string; parts: NonNullable<Prompt['parts']> },
  mcp: McpServers | undefined,
  signal: AbortSignal,
): Promise<Pick<Prompt, 'text' | 'parts'>> {
  const [, name, input = ''] = /^\s*\/(\S+)\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined || mcp?.listCommands().some((command) => command.name === name) !== true)
    return { text: text.trim() === '' ? undefined : text, parts };
  const { output, attachments } = await mcp.expandCommand(name, input, signal);
  return { text: output, parts: [...attachments.map((file) => ({ type: 'file' as const, ...file })), ...parts] };
}
