import { DragomanError } from '@dragoman/protocol';

/** A resource of an MCP server: whose it is, and what the server calls it. */
export interface McpUri {
  clientName: string;
  /** The resource's own address, as the server gave it. */
  resource: string;
}

/**
 * The address of a resource among all servers: `mcp://{server}/{resource}`.
 *
 * Both are percent-encoded whole, the resource's own address as one segment, so that nothing in it is mistaken for
 * ours. An address made by a URL parser would not do: it lower-cases the server and tidies the path.
 */
export function formatMcpUri({ clientName, resource }: McpUri): string {
  if (clientName === '' || resource === '' || !clientName.isWellFormed() || !resource.isWellFormed())
    throw new DragomanError('bad-request', 'an mcp:// address needs a server and a resource in well-formed text');
  return `mcp://${encodeURIComponent(clientName)}/${encodeURIComponent(resource)}`;
}

/** Reads what `formatMcpUri` writes. Throws `DragomanError` for anything else, with the form that was expected. */
export function parseMcpUri(uri: string): McpUri {
  const [, server, resource] = /^mcp:\/\/([^/?#]+)\/([^/?#]+)$/.exec(uri) ?? [];
  const [clientName, own] = [decoded(server), decoded(resource)];
  if (clientName === undefined || own === undefined)
    throw new DragomanError(
      'bad-request',
      `${JSON.stringify(uri.slice(0, 200))} is not an address like mcp://server/resource with both percent-encoded, ` +
        'such as mcp://docs/file%3A%2F%2F%2Freadme.md',
    );
  return { clientName, resource: own };
}

function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // A "%" that stands for nothing.
  }
}
