import { DragomanError } from '@dragoman/protocol';
import { type ConvertedContent, convertMcpContent } from './convert-mcp-content.ts';
import type { McpPrompt, McpPromptResult } from './mcp-wire.ts';

/** A prompt of a server, as a command a person can type. */
export interface McpCommand {
  /** `{client}:{prompt}` */
  name: string;
  description: string;
  arguments: { name: string; description?: string; isRequired: boolean }[];
}

/** What a person gave: by name, or a line as it was typed. */
export type McpCommandInput = string | Readonly<Record<string, string>>;

/** A server's prompt as a command. */
export function toMcpCommand(clientName: string, prompt: McpPrompt): McpCommand {
  return {
    name: `${clientName}:${prompt.name}`,
    description: prompt.description ?? prompt.title ?? '',
    arguments: (prompt.arguments ?? []).map(({ name, description, required }) => ({
      name,
      ...(typeof description === 'string' ? { description } : {}),
      isRequired: required === true,
    })),
  };
}

/**
 * The arguments of a command by name.
 *
 * A line is shared out in order: a word each, or what stands in quotes, and to the last one all that is left.
 */
export function commandArguments(command: McpCommand, input: McpCommandInput): Record<string, string> {
  const given = typeof input === 'string' ? fromLine(command, input) : { ...input };
  const missing = command.arguments.filter(({ name, isRequired }) => isRequired && (given[name] ?? '') === '');
  if (missing.length > 0)
    throw new DragomanError(
      'bad-request',
      `/${command.name} needs ${missing.map(({ name }) => name).join(', ')}; it takes ${usage(command)}`,
    );
  return given;
}

/** The messages a server made of its prompt, as one text with attachments. */
export function convertMcpPrompt(clientName: string, { messages }: McpPromptResult): ConvertedContent {
  const isTalk = messages.some(({ role }) => role !== 'user');
  const content = messages.flatMap(({ role, content: pieces }) => [
    // With an example answer among them, the model has to see who said what.
    ...(isTalk ? [{ type: 'text', text: role === 'user' ? 'User:' : 'Assistant:' }] : []),
    ...(Array.isArray(pieces) ? pieces : [pieces]),
  ]);
  return convertMcpContent({ clientName, content });
}

function fromLine(command: McpCommand, line: string): Record<string, string> {
  const given: Record<string, string> = {};
  let rest = line.trim();
  for (const [index, { name }] of command.arguments.entries()) {
    if (rest === '') break;
    const isLast = index === command.arguments.length - 1;
    const [whole, quoted, word] = /^(?:"([^"]*)"(?=\s|$)|(\S+))\s*/.exec(rest)!;
    const isWhole = whole.length === rest.length;
    given[name] = isLast && !isWhole ? rest : (quoted ?? word ?? '');
    rest = isLast ? '' : rest.slice(whole.length);
  }
  return given;
}

function usage(command: McpCommand): string {
  const words = command.arguments.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`));
  return words.length === 0 ? 'no arguments' : words.join(' ');
}
