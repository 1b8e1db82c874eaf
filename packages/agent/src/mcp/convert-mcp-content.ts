import type { Tool } from '../tools/tool.ts';
import { dataUrl, fileName, LONGEST_RESOURCE } from './mcp-resource.ts';
import { formatMcpUri } from './mcp-uri.ts';
import type { McpContent } from './mcp-wire.ts';

/** What the model reads, and the files that belong to it. */
export interface ConvertedContent {
  output: string;
  attachments: Tool.Attachment[];
}

/** What a server gave, and which one it was. */
export interface GivenContent {
  clientName: string;
  content: readonly McpContent[];
  structuredContent?: unknown;
}

/**
 * The content of an MCP result or prompt as text and attachments, in the order given.
 *
 * Where a file stood between texts, the output has a line that names its attachment, so the model knows which is
 * which. A text resource is attached by its address, and its text is in the output only: once is enough.
 */
export function convertMcpContent({ clientName, content, structuredContent }: GivenContent): ConvertedContent {
  if (content.length === 0)
    return { output: structuredContent === undefined ? '' : JSON.stringify(structuredContent), attachments: [] };

  const lines: string[] = [];
  const attachments: Tool.Attachment[] = [];
  const attach = (attachment: Tool.Attachment): void => {
    attachments.push(attachment);
    lines.push(`[attachment ${attachments.length}: ${attachment.filename ?? 'file'}, ${attachment.mime}]`);
  };

  for (const piece of content) {
    switch (piece.type) {
      case 'text':
        lines.push(piece.text ?? '');
        break;
      case 'image':
      case 'audio': {
        const mime = piece.mimeType ?? (piece.type === 'image' ? 'image/png' : 'audio/wav');
        const data = piece.data ?? '';
        if (data.length > LONGEST_RESOURCE) lines.push(tooLarge(piece.type, data.length));
        else attach({ mime, filename: `${piece.type}-${attachments.length + 1}`, url: dataUrl(mime, data) });
        break;
      }
      case 'resource': {
        const resource = piece.resource;
        if (resource === null || resource === undefined) break;
        const uri = address(clientName, resource.uri);
        const source = { type: 'resource' as const, clientName, uri };
        const filename = fileName(resource.uri);
        if (typeof resource.text === 'string') {
          attach({ mime: resource.mimeType ?? 'text/plain', filename, url: uri, source });
          lines.push(`${uri}:`, resource.text);
          break;
        }
        const mime = resource.mimeType ?? 'application/octet-stream';
        const blob = resource.blob ?? '';
        if (blob.length > LONGEST_RESOURCE) lines.push(tooLarge(uri, blob.length));
        else attach({ mime, filename, url: dataUrl(mime, blob), source });
        break;
      }
      case 'resource_link':
        lines.push(resourceLink(clientName, piece));
        break;
      default:
        lines.push(`[${piece.type}: a kind of content that cannot be shown]`);
    }
  }
  return { output: lines.join('\n'), attachments };
}

function resourceLink(clientName: string, { uri, name, title, description, mimeType }: McpContent): string {
  const about = [title ?? name, mimeType, description].filter((word) => typeof word === 'string' && word !== '');
  return `[resource: ${[address(clientName, uri ?? ''), ...about].join(', ')}]`;
}

/** A server that sends something odd for an address does not spoil the rest of its answer. */
function address(clientName: string, uri: string): string {
  return formatMcpUri({ clientName, resource: uri === '' ? 'nameless' : uri.toWellFormed() });
}

function tooLarge(what: string, length: number): string {
  return `[${what} was left out: ${length} characters of base64, and the limit is ${LONGEST_RESOURCE}]`;
}
