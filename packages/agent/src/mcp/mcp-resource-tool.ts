import { DragomanError } from '@dragoman/protocol';
import { z } from 'zod';
import { Tool, ToolError } from '../tools/tool.ts';
import type { McpServers } from './mcp-servers.ts';
import { parseMcpUri } from './mcp-uri.ts';

const MOST_LISTED = 200;

/**
 * Lets the model follow an `mcp://` address, and look for one.
 *
 * Without it the links that tools give back would lead nowhere. The permission is asked by the server's name.
 */
export function mcpResourceTool(servers: Pick<McpServers, 'listResources' | 'readMcpResource'>) {
  return Tool.define({
    id: 'mcp-resource',
    description:
      'Reads what stands behind an mcp:// address of a connected MCP server. Without an address it lists the ' +
      'addresses there are.',
    parameters: z.object({ uri: z.string().optional().describe('An address such as mcp://docs/file%3A%2F%2F%2Fa.md') }),
    isReadOnly: true,
    subjects: ({ uri }) => {
      if (uri === undefined) return [];
      return [{ kind: 'name', value: toolErrors(() => parseMcpUri(uri)).clientName }];
    },
    async execute({ uri }, { abort }) {
      if (uri === undefined) {
        const resources = await servers.listResources(abort);
        const lines = resources
          .slice(0, MOST_LISTED)
          .map(({ uri: address, name, description }) =>
            [address, name, description.replaceAll(/\s+/g, ' ')].filter((word) => word !== '').join('  '),
          );
        const left = resources.length - lines.length;
        if (left > 0) lines.push(`(${left} more are not listed)`);
        return { title: 'MCP resources', output: lines.join('\n') || 'No connected server has resources.' };
      }
      try {
        const attachments = await servers.readMcpResource(uri, abort);
        const texts = attachments.map(({ source, mime }) => {
          const text = source?.type === 'resource' ? source.text?.value : undefined;
          return text ?? `[attached: ${mime}]`;
        });
        // The text is in the output; the attachment of a text is its address alone.
        return { title: uri, output: texts.join('\n'), attachments: attachments.map(withoutText) };
      } catch (error) {
        throw error instanceof ToolError ? error : new ToolError(messageOf(error), { cause: error });
      }
    },
  });
}

function withoutText({ source, ...attachment }: Tool.Attachment): Tool.Attachment {
  if (source?.type !== 'resource') return { ...attachment, ...(source === undefined ? {} : { source }) };
  const { text: _text, ...place } = source;
  return { ...attachment, source: place };
}

function toolErrors<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof DragomanError ? new ToolError(error.message, { cause: error }) : error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
