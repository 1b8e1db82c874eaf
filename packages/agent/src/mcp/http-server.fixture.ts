import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { demoServer } from './demo-server.fixture.ts';

/** A server on this machine, as long as a test needs it. */
export interface LocalServer {
  origin: string;
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** Serves a web handler on loopback; what it does not answer is 404. */
export async function serveLocally(
  handle: (request: Request) => Promise<Response | undefined> | Response | undefined,
  port = 0,
): Promise<LocalServer> {
  const requests: LocalServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method!, path: request.url!, headers: request.headers });
    void respond(request, response);
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (await handle(toRequest(request, origin))) ?? new Response('not found', { status: 404 });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) response.end();
    else
      Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0])
        .pipe(response)
        .on('error', () => {});
  };
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, requests, close: () => closed(server) };
}

/** The demo server over streamable HTTP, with sessions. */
export function demoHttpHandler(): (request: Request) => Promise<Response | undefined> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    if (new URL(request.url).pathname !== '/mcp') return undefined;
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return await known.handleRequest(request);
    if (request.headers.has('mcp-session-id')) return new Response('no such session', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await demoServer().connect(transport);
    return await transport.handleRequest(request);
  };
}

function toRequest(request: IncomingMessage, origin: string): Request {
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const init: RequestInit & { duplex?: 'half' } = {
    method: request.method!,
    headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
  };
  return new Request(new URL(request.url!, origin), init);
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
