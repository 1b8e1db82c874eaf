import { DragomanError, type FilePart, type PartBase } from '@dragoman/protocol';
import type { Tool } from '../tools/tool.ts';
import { formatMcpUri } from './mcp-uri.ts';
import type { McpResourceContent } from './mcp-wire.ts';

/** Base64 of more than this is not kept in a message. */
export const LONGEST_RESOURCE = 10_000_000;

/** One piece of a resource, and where it comes from. */
export interface ReadMcpResource {
  clientName: string;
  /** The resource's own address. */
  uri: string;
  content: McpResourceContent;
}

/**
 * The content of a resource as a part of a message.
 *
 * The part holds what was read, so that the prompt for the model is made from it later without asking the server
 * again. `source.uri` is always the `mcp://` address. Of text, `url` is that address too and the text is in
 * `source.text.value`; of anything else, `url` is a `data:` address with the bytes.
 */
export function resourceToFilePart(resource: ReadMcpResource, base: PartBase): FilePart {
  return { ...base, type: 'file', ...resourceToAttachment(resource) };
}

/** The same without a message to belong to. Throws `DragomanError` when it is too large or holds nothing. */
export function resourceToAttachment({ clientName, uri, content }: ReadMcpResource): Tool.Attachment {
  const address = formatMcpUri({ clientName, resource: uri });
  const length = content.text?.length ?? content.blob?.length;
  if (length === undefined) throw new DragomanError('bad-request', `${address} has neither text nor bytes`);
  if (length > LONGEST_RESOURCE)
    throw new DragomanError('too-large', `${address} is ${length} characters; the limit is ${LONGEST_RESOURCE}`);

  const source = { type: 'resource' as const, clientName, uri: address };
  const filename = fileName(uri);
  if (typeof content.text === 'string') {
    const text = { value: content.text, start: 0, end: content.text.length };
    return { mime: content.mimeType ?? 'text/plain', filename, url: address, source: { ...source, text } };
  }
  const mime = content.mimeType ?? 'application/octet-stream';
  return { mime, filename, url: dataUrl(mime, content.blob ?? ''), source };
}

/** An address that holds the bytes themselves. */
export function dataUrl(mime: string, base64: string): string {
  return `data:${mime};base64,${base64}`;
}

/** What a person would call the file: the last name in its address. */
export function fileName(uri: string): string {
  const last = /([^/\\?#:]+)[/\\]*(?:[?#].*)?$/.exec(uri)?.[1] ?? uri;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
