import { DragomanError } from '@dragoman/protocol/error';
import { callerOf, clientSignal } from '@dragoman/server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import manifest from '../../package.json' with { type: 'json' };
import { createMcpServer } from './create-mcp-server.ts';
import { folderEngine, type FolderEngineParts } from './folder-engine.ts';

/** More than any window has open. */
const MAX_FOLDERS = 50;

/**
 * `/mcp`: the code search over MCP's Streamable HTTP, in the protocol's versions of 2025 and 2026 alike.
 *
 * Every request stands alone, so nothing is kept between two of them. The folders a client has open stand in the query
 * (`/mcp?workspace=/work/shop`) or in the header `x-dragoman-workspace`, each encoded as in a query and with commas
 * between them, for clients that rewrite addresses.
 */
export async function answerMcp(
  parts: FolderEngineParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Response> {
  const address = new URL(request.url, 'http://127.0.0.1');
  const engine = folderEngine(parts, callerOf(request), foldersOf(request, address).slice(0, MAX_FOLDERS));
  const handler = createMcpHandler(() => createMcpServer(engine, manifest.version), {
    maxSubscriptions: 0, // Its tools never change.
    onerror: (err) => request.log.debug({ err }, 'a message over MCP could not be taken'),
  });
  const { method } = request;
  const asked = new Request(address, { method, headers: headersOf(request), signal: clientSignal(reply) });
  return handler.fetch(asked, method === 'POST' ? { parsedBody: request.body } : {});
}

function foldersOf({ headers }: FastifyRequest, { searchParams }: URL): string[] {
  const listed = [headers['x-dragoman-workspace'] ?? ''].flat().join(',').split(',');
  return [...searchParams.getAll('workspace'), ...listed.map(decode)].filter((folder) => folder !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch (cause) {
    throw new DragomanError('bad-request', 'x-dragoman-workspace: expected paths, each encoded as in a query.', {
      cause,
    });
  }
}

function headersOf({ headers }: FastifyRequest): Headers {
  const copied = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) if (name !== 'authorization' && name !== 'cookie') copied.append(name, one);
  return copied;
}
